// A simple player of The Cave. It knows no rules: it takes one of the `choices` that the host offers.

const FEW = 6; // With less food than this it packs again when it comes to the base.

/** Looks around for as long as there is food, and then goes back the way it came. */
export class Explorer {
  #trail = [String([0, 0])];
  #visits = new Map();

  /** `wish` is what it packs as far as there is room: pairs of thing and number, the most wanted first. */
  constructor(wish) {
    this.wish = wish;
  }

  /** The action to send. */
  choose(choices) {
    // Every form tells what is in the backpack; where none is offered there is nothing in it.
    const food = choices.find(({ limits }) => limits)?.limits.held.consumable ?? 0;
    const worth = choices.map((choice) => this.#worth(choice, food));
    const { action, limits } = choices[worth.indexOf(Math.max(...worth))];
    return limits ? { ...action, backpack: this.#pack(limits) } : action;
  }

  /** The action has been done. */
  done({ type, to }) {
    if (type !== "move") return;
    const place = String(to);
    const at = this.#trail.indexOf(place);
    this.#trail = at < 0 ? [...this.#trail, place] : this.#trail.slice(0, at + 1);
    this.#visits.set(place, this.#visited(place) + 1);
  }

  #visited(place) {
    return this.#visits.get(place) ?? 0;
  }

  #worth({ action, ap, points = 0 }, food) {
    const hungry = food <= this.#trail.length / 2;
    switch (action.type) {
      case "pack":
        return food < FEW ? 200 : -100;
      case "discover":
        return hungry ? -10 : 100;
      case "dive":
      case "photograph":
        return 50 + points;
      case "move": {
        const place = String(action.to);
        if (hungry) return (place === this.#trail.at(-2) ? 60 : -50) - ap;
        return 20 + points - ap - 5 * this.#visited(place);
      }
      case "place":
        return 0;
      case "end_turn":
        return -40;
      default: // The camp stays where it is, and nothing is thrown away.
        return -1000;
    }
  }

  /** The wish within the limits of the form: slots in all, and the most of each thing. */
  #pack({ slots, most }) {
    const backpack = {};
    let room = slots;
    for (const [thing, wanted] of this.wish) {
      const count = Math.min(wanted, most[thing] ?? 0, room);
      if (count > 0) backpack[thing] = count;
      room -= count;
    }
    return backpack;
  }
}
