// Two players and a watcher at a table of a host on this machine, until the game is over.
//
//   node game.js PORT FILE
//
// Every message that one of them receives goes to the file, one line of JSON each. At the end the program
// prints one line of JSON: for each of them the last update, the standing and the record.

import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { Explorer } from "./explorer.js";
import { Client, knock, Refusal, Table } from "./host.js";

const ADDRESS = "127.0.0.1";
const SEED = "a whole game";
const PLAYERS = [
  { name: "Zoë", wish: [["consumable", 6], ["rope", 2]] },
  { name: "Łukasz", wish: [["consumable", 5], ["camera", 1], ["oxygen", 1], ["rope", 1]] },
];

const [port, file] = process.argv.slice(2);
const door = await knock(ADDRESS, Number(port));
const heard = createWriteStream(file);

/** A client that has said hello, and of which all is written down that it hears. */
async function come(name) {
  const client = new Client(ADDRESS, door);
  client.on("message", (message, from) => heard.write(JSON.stringify({ name, from, message }) + "\n"));
  await client.ask("hello", { protocol: 1, client: "node", name });
  return client;
}

/** Act whenever there is something to choose, until the game is over. */
async function play(table, wish) {
  const explorer = new Explorer(wish);
  let chosenAt = -1;
  while (table.status !== "over" || table.own.seq < table.seq) {
    const { own } = table;
    if (!own?.choices.length || own.seq === chosenAt) {
      await table.changed();
      continue;
    }
    chosenAt = own.seq;
    const action = explorer.choose(own.choices);
    try {
      await table.client.ask("act", { table: table.id, seat: own.seat, seq: own.seq, action });
      explorer.done(action);
    } catch (problem) {
      // The choices have changed meanwhile: another view is here or on its way.
      if (!(problem instanceof Refusal && problem.code === "stale")) throw problem;
    }
  }
}

async function watch(table) {
  while (table.status !== "over") await table.changed();
}

/** The game is over: wait for a beat to compare the last view with, and ask for the record. */
async function outcome(table) {
  while (table.agreed < table.seq) await table.changed();
  const { lines } = await table.client.ask("record", { table: table.id });
  return { seq: table.seq, standing: (table.own ?? table).view.standing, record: lines };
}

const clients = await Promise.all([...PLAYERS.map(({ name }) => name), "watcher"].map(come));
const seats = PLAYERS.map(() => ({ kind: "open" }));
const { table: id } = await clients[0].ask("open", { game: door.games[0].name, seats, seed: SEED });
const tables = clients.map((client) => new Table(client, id));
for (const [seat, { name }] of PLAYERS.entries()) await clients[seat].ask("sit", { table: id, seat, name });
await Promise.all(tables.map((table) => table.join()));
await Promise.all([...PLAYERS.map(({ wish }, seat) => play(tables[seat], wish)), watch(tables.at(-1))]);
const outcomes = await Promise.all(tables.map(outcome));

await Promise.all(clients.map((client) => client.close()));
heard.end();
await finished(heard);
console.log(JSON.stringify(outcomes));
