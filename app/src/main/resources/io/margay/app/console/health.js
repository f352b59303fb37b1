// How each member did in the last hour, minute by minute: by colour, by pattern and in words.
import { card, h, Table } from "./dom.js";
import { get, say } from "./live.js";

const EVERY = 10000;
export const MINUTES = 60;
const USABLE = 0;

/** Minutes in a row that were alike: [best, worst, from, to]; minutes that nobody knows are null. */
function runs(minutes) {
  const all = [];
  minutes.forEach((minute, i) => {
    const last = all[all.length - 1];
    if (last && JSON.stringify(last.state) === JSON.stringify(minute)) last.to = i + 1;
    else all.push({ state: minute, from: i, to: i + 1 });
  });
  return all;
}

export class Health {
  constructor() {
    this.asked = 0;
    this.states = [];
    this.members = [];
    this.table = new Table("Health of members in the last hour", [
      { name: "Upstream", of: one => one.upstream },
      { name: "Member", of: one => one.member },
      { name: "60 minutes ago … now", stamp: one => one.minutes, node: (one, cell) => cell.append(this.line(one)) },
      { name: "In words", wide: true, of: one => this.words(one).join("; ") }
    ], one => one.upstream + "\n" + one.member, "No member is known for a minute yet.");
    this.legend = h("ul", { class: "legend" });
    this.more = h("p", { class: "soft", hidden: true });
    this.element = card("Health in the last hour", this.table.element, this.legend, this.more);
    this.element.id = "health";
  }

  line(one) {
    return h("div", { class: "timeline", role: "img", "aria-label": one.member + ": " + this.words(one).join("; ") },
      this.hour(one).map(run => {
        const part = h("span", { class: run.state === null ? "unknown" : this.states[run.state[1]].name });
        part.style.flexGrow = run.to - run.from;
        if (run.state !== null && run.state[0] !== run.state[1]) part.classList.add("partly");
        part.title = this.says(run, MINUTES);
        return part;
      }));
  }

  /** The runs of one member's hour, from 60 minutes ago on. */
  hour(one) {
    return runs([...Array(Math.max(0, MINUTES - one.minutes.length)).fill(null), ...one.minutes.slice(-MINUTES)]);
  }

  says(run, length) {
    if (run.state === null) return "not known";
    const start = Math.floor(Date.now() / 60000) - length + 1;
    const clock = minute => new Date((start + minute) * 60000).toTimeString().slice(0, 5);
    const partly = run.state[0] !== run.state[1] ? ", partly" : "";
    return this.states[run.state[1]].text + " " + (run.to === length ? "since " + clock(run.from)
      : run.to - run.from === 1 ? "at " + clock(run.from) : clock(run.from) + "–" + clock(run.to - 1)) + partly;
  }

  /** Where it did worst, the last first; else since when it does well. */
  words(one) {
    const all = runs(one.minutes).filter(run => run.state !== null);
    const wrong = all.filter(run => run.state[1] !== USABLE).reverse();
    const told = wrong.slice(0, 3).map(run => this.says(run, one.minutes.length));
    if (wrong.length > told.length) told.push(wrong.length - told.length + " more times");
    return told.length ? told : [all.length ? this.says(all[all.length - 1], one.minutes.length) : "not known"];
  }

  /** To be called at every tick. */
  async look() {
    if (Date.now() - this.asked < EVERY) return;
    this.asked = Date.now();
    try {
      const hour = await get("api/hour/members");
      if (this.states.length === 0) {
        this.states = hour.states;
        this.legend.append(...hour.states.map(state => h("li", {}, h("span", { class: "timeline", "aria-hidden": "true" },
          h("span", { class: state.name })), state.text)));
      }
      this.members = hour.members;
      this.table.update(hour.members);
      this.legend.hidden = hour.members.length === 0;
      this.more.hidden = hour.unwatched === 0;
      this.more.textContent = "Too many routes and members: " + hour.unwatched + " of them are not followed.";
    } catch (e) {
      say(e.message, true);
    }
  }
}
