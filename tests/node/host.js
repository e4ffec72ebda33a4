// What any client of a host needs, as server/PROTOCOL.md has it: the door, a desk, a table to follow.

import { createHash, randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { curveKeyPair, Dealer, Subscriber } from "zeromq";

/** The line of JSON that the door writes before it closes. */
export async function knock(address, port) {
  let line = "";
  for await (const text of connect(port, address).setEncoding("utf8")) line += text;
  return JSON.parse(line);
}

/** One person's program: a key pair of its own, a connection to the desk and one to the gallery. */
export class Client extends EventEmitter {
  #desk;
  #gallery;
  #run = randomBytes(8).toString("hex");
  #asked = 0;
  #sent = Promise.resolve();
  #readings;

  constructor(address, door) {
    super();
    this.setMaxListeners(0);
    const { publicKey, secretKey } = curveKeyPair();
    const keys = { curveServerKey: door.public_key, curvePublicKey: publicKey, curveSecretKey: secretKey };
    this.#desk = new Dealer({ linger: 0, ...keys });
    this.#gallery = new Subscriber({ linger: 0, ...keys });
    this.#desk.connect(`tcp://${address}:${door.desk}`);
    this.#gallery.connect(`tcp://${address}:${door.gallery}`);
    this.#readings = [this.#read(this.#desk, "desk"), this.#read(this.#gallery, "gallery")];
  }

  async #read(socket, from) {
    // The desk sends one frame, the gallery the topic and then the message.
    for await (const frames of socket) this.emit("message", JSON.parse(frames.at(-1)), from);
  }

  /** The reply to a message; a refusal is thrown. */
  async ask(type, fields = {}) {
    const id = `${this.#run}#${++this.#asked}`;
    const reply = this.until((message) => message.re === id);
    // A socket takes one message after the other.
    this.#sent = this.#sent.then(() => this.#desk.send(padded({ type, id, ...fields })));
    await this.#sent;
    const message = await reply;
    if (message.type === "error") throw new Refusal(message);
    return message;
  }

  /** The first message from now on for which this is true. */
  until(isWanted) {
    return new Promise((resolve) => {
      const listener = (message) => {
        if (!isWanted(message)) return;
        this.off("message", listener);
        resolve(message);
      };
      this.on("message", listener);
    });
  }

  /** Hear what the gallery tells of a table. */
  listen(table) {
    this.#gallery.subscribe(`table.${table}`);
  }

  /** Leave the host: after this no message comes any more. */
  async close() {
    this.#desk.close();
    this.#gallery.close();
    await Promise.all(this.#readings);
  }
}

/** A message as JSON, with spaces after it up to a multiple of 512 bytes: its size tells nothing. */
function padded(message) {
  const text = Buffer.from(JSON.stringify(message));
  return Buffer.concat([text, Buffer.alloc(-text.length & 511, " ")]);
}

/** What a host says instead of doing what it was asked for. */
export class Refusal extends Error {
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

/**
 * A table as a client follows it. `seq`, `view` (what a watcher sees) and `status` are those of the newest
 * update. `own` is the newest `view` message for the client's seat, if it has one.
 */
export class Table {
  seq = -1;
  view = null;
  status = "waiting";
  own = null;
  agreed = -1; // The newest update for which the host's digest was the same as ours.
  #heard = false;
  #joined = false;
  #syncing = false;

  constructor(client, id) {
    this.client = client;
    this.id = id;
    client.on("message", (message) => message.table === id && this.#take(message));
  }

  /** Join without a gap: listen, then ask for a snapshot until the gallery has been heard. */
  async join() {
    this.client.listen(this.id);
    await this.client.ask("watch", { table: this.id });
    while (!this.#heard) {
      await pause(100);
      await this.client.ask("watch", { table: this.id });
    }
    this.#joined = true;
  }

  /** The next message about this table. */
  changed() {
    return this.client.until((message) => message.table === this.id);
  }

  #take(message) {
    const { type, seq } = message;
    this.#heard ||= ["update", "beat", "presence", "chat"].includes(type);
    if (type === "view" && seq >= (this.own?.seq ?? 0)) this.own = message;
    else if (type === "snapshot" && seq >= this.seq) this.#show(message);
    else if (type === "update" && seq === this.seq + 1) this.#show(message);
    else if (type === "beat" && seq === this.seq) this.#compare(message);
    else if (["update", "beat"].includes(type) && seq > this.seq) this.#sync();
  }

  #show({ seq, view, status }) {
    Object.assign(this, { seq, view, status });
  }

  /** Ask for what was missed. While joining, a snapshot is on its way anyway. */
  async #sync() {
    if (!this.#joined || this.#syncing) return;
    this.#syncing = true;
    await this.client.ask("sync", { table: this.id });
    this.#syncing = false;
  }

  #compare({ seq, digest: theirs }) {
    const ours = digest(this.view);
    if (ours !== theirs) throw new Error(`The digest at ${seq} is ${theirs}, and of our view ${ours}.`);
    this.agreed = seq;
  }
}

/** The digest of a view: of its JSON with sorted keys and no spaces, in UTF-8. */
export function digest(view) {
  return "sha256:" + createHash("sha256").update(JSON.stringify(sorted(view)), "utf8").digest("hex");
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}
