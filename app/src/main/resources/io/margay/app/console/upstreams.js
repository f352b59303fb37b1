// Upstreams: members, what may be done with them, where they come from.
import { action } from "./applications.js";
import { ago, card, count, digits, h, Table } from "./dom.js";
import { Health } from "./health.js";
import { change, now, rate } from "./live.js";

/** What requests have told of a member, by mod_jk's words. */
const STATES = { "OK": "answers", "OK/IDLE": "answers", "OK/BUSY": "busy", "ERR": "in error", "ERR/REC": "to be tried again",
  "ERR/FRC": "in error, tried all the same", "ERR/PRB": "being tried again" };

/** In words, why it gets requests or none. */
export const state = one => one.leftOut ? one.leftOut + ", " + ago(one.leftOutSeconds) + " left" : (one.healthy ? STATES[one.state] || one.state : "fails its checks");

const key = one => one.upstream + "\n" + one.name;

/** Mean time of the answers since the tick before, milliseconds. */
export function mean(part, of) {
  const requests = rate(part, of, one => one.requests - (one.errors ?? 0));
  return requests > 0 ? rate(part, of, one => one.nanos) / requests / 1e6 : NaN;
}

export const upstreams = {
  id: "upstreams",
  name: "Upstreams",
  parts: ["upstreams"],
  make() {
    const members = new Table("Members", [
      { name: "Upstream", of: one => ({ text: one.upstream + (one.down ? " (down)" : ""), kind: one.down ? "bad" : "" }) },
      { name: "Member", of: one => ({ text: one.name + (one.origin === "configured" ? "" : " (" + one.origin + ")"), note: one.url }) },
      { name: "Actions", actions: true, stamp: one => one.activation, node: actions },
      { name: "State", of: one => ({ text: state(one), kind: one.usable ? "good" : "bad",
        note: (one.activation === "disabled" ? "disabled: its sessions only" : one.activation) + changed(one),
        title: Object.entries(one.changes || {}).map(([what, by]) => what + " from " + by.from + " " + by.by + ", " + by.at).join("; ") }) },
      { name: "Requests/s", number: true, of: one => digits(rate("upstreams", key(one), each => each.requests)) },
      { name: "Mean ms", number: true, of: one => digits(mean("upstreams", key(one))) },
      { name: "In flight", number: true, of: one => ({ text: one.requestsActive + (one.requestsActiveMax ? " of " + one.requestsActiveMax : ""),
        kind: one.requestsActiveMax && one.requestsActive >= one.requestsActiveMax ? "bad" : "" }) },
      { name: "Requests", number: true, of: one => ({ text: count(one.requests), title: "weight " + one.weight + ", "
        + one.connections + " connections" }) },
      { name: "4xx", number: true, of: one => count(one.statuses[3]) },
      { name: "5xx", number: true, of: one => ({ text: count(one.statuses[4]), kind: one.statuses[4] ? "bad" : "" }) },
      { name: "Errors", number: true, of: one => ({ text: count(one.errors), kind: one.errors ? "bad" : "" }) }
    ], key, "No upstream is configured: nothing is passed on to other servers.");
    const sources = new Table("Sources of members", [
      { name: "Upstream", of: one => one.upstream },
      { name: "Source", of: one => one.source },
      { name: "State", wide: true, of: one => ({ text: one.failure || "answers", kind: one.failure ? "bad" : "good" }) },
      { name: "Members", number: true, of: one => one.members },
      { name: "Answered", of: one => one.sinceSuccessSeconds < 0 ? "never" : ago(one.sinceSuccessSeconds) + " ago" },
      { name: "Failures", number: true, of: one => ({ text: count(one.failures), kind: one.failures ? "bad" : "" }) }
    ], one => one.upstream + "\n" + one.source, "All members are written in the configuration.");
    const canaries = new Table("Canaries", [
      { name: "Upstream", of: one => one.upstream },
      { name: "New version", of: one => one.to },
      { name: "State", wide: true, of: one => ({ text: one.takenBack ? "taken back: " + one.takenBack : "step " + (one.step + 1),
        kind: one.takenBack ? "bad" : "good" }) },
      { name: "Share", number: true, of: one => digits(100 * one.share) + " %" },
      { name: "Answers", number: true, of: one => count(one.answers) },
      { name: "Failed", number: true, of: one => ({ text: count(one.failures), kind: one.failures ? "bad" : "" }) },
      { name: "Answers of old", number: true, of: one => count(one.answersOfOld) },
      { name: "Failed of old", number: true, of: one => count(one.failuresOfOld) }
    ], one => one.upstream + "\n" + one.to, "No route has a canary.");
    const hedges = new Table("Second attempts", [
      { name: "Upstream", of: one => one.upstream },
      { name: "Route", of: one => one.route },
      { name: "After", number: true, of: one => one.afterMillis === undefined ? "not known yet" : digits(one.afterMillis) + " ms" },
      { name: "Requests", number: true, of: one => count(one.requests) },
      { name: "Answered first", number: true, of: one => count(one.wins) },
      { name: "Left out", number: true, of: one => count(one.leftOut) }
    ], one => one.upstream + "\n" + one.route, "No route asks a second member.");
    const mirrors = new Table("Copies", [
      { name: "Upstream", of: one => one.upstream },
      { name: "To", of: one => one.to },
      { name: "In flight", number: true, of: one => count(one.active) },
      { name: "Copies", number: true, of: one => count(one.requests) },
      { name: "Left out", number: true, of: one => count(one.leftOut) }
    ], one => one.upstream + "\n" + one.to, "No route copies its requests.");
    const copied = card("Copies", mirrors.element);
    copied.id = "mirrors";
    const hedged = card("Second attempts", hedges.element);
    hedged.id = "hedges";
    const health = new Health();
    const divided = card("Canaries", canaries.element);
    divided.id = "canaries";
    const from = card("Sources of members", sources.element);
    from.id = "sources";
    return {
      elements: [h("section", { class: "card", id: "members" }, members.element), health.element, divided, hedged, copied, from],
      update() {
        const all = now.upstreams || [];
        members.update(all.flatMap(one => one.members.map(member => ({ ...member, upstream: one.name, down: one.down }))));
        sources.update(all.flatMap(one => one.sources.map(source => ({ ...source, upstream: one.name }))));
        const canary = all.flatMap(one => one.canaries.map(each => ({ ...each, upstream: one.name })));
        canaries.update(canary);
        divided.hidden = canary.length === 0;
        const hedge = all.flatMap(one => one.hedges.map(each => ({ ...each, upstream: one.name })));
        hedges.update(hedge);
        hedged.hidden = hedge.length === 0;
        const mirror = all.flatMap(one => one.mirrors.map(each => ({ ...each, upstream: one.name })));
        mirrors.update(mirror);
        copied.hidden = mirror.length === 0;
        from.hidden = health.element.hidden = all.length === 0;
        if (all.length > 0) health.look();
      }
    };
  }
};

function changed(one) {
  const from = [...new Set(Object.values(one.changes || {}).map(by => by.from))];
  return from.length ? " (from " + from.join(", ") + ")" : "";
}

function actions(one, cell) {
  const of = one.name + " of " + one.upstream;
  for (const [text, activation, done] of [
    ["enable", "active", "gets requests."],
    ["drain", "disabled", "gets requests of its sessions only."],
    ["stop", "stopped", "gets no requests."]
  ]) {
    if (one.activation === activation) continue;
    cell.append(action(text, of, async () => {
      await change("PUT", "api/upstreams/members?" + new URLSearchParams({ upstream: one.upstream, member: one.name, activation }));
      return of + " " + done;
    }));
  }
}
