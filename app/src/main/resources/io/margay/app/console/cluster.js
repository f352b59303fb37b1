// This server among others: gateways that share a store, members that register, sessions.
import { ago, card, count, Facts, h, Table, took } from "./dom.js";
import { now } from "./live.js";

const calls = one => count(one.calls) + (one.calls ? ", " + took(one.nanos / one.calls / 1e6) + " each" : "");

const STATES = { there: ["answers", "good"], full: ["is full: sessions are not saved", "bad"], away: ["does not answer", "bad"] };

/** The gateways: this one by name, others by theirs. */
function servers(shared) {
  const left = [...shared.servers];
  const own = left.indexOf(shared.node);
  if (own >= 0) left.splice(own, 1);
  return [{ name: shared.node, own: true }, ...left.map((name, i) => ({ name, number: i }))];
}

export const cluster = {
  id: "cluster",
  name: "Cluster",
  parts: ["cluster"],
  make() {
    const store = new Facts();
    const gateways = new Table("Gateways of the group", [
      { name: "Gateway", of: one => one.name },
      { name: "State", wide: true, of: one => one.own ? { text: "this server" } : { text: "is there", kind: "good" } }
    ], one => one.name + (one.own ? "" : " " + one.number), "No other gateway is there.");
    const registered = new Table("Members that registered", [
      { name: "Upstream", of: one => one.upstream },
      { name: "Member", wide: true, of: one => ({ text: one.name, note: one.url }) },
      { name: "Lease", number: true, of: one => ago(one.leaseSeconds) },
      { name: "Left of it", number: true, of: one => ({ text: ago(one.leftSeconds), kind: one.leftSeconds * 3 < one.leaseSeconds ? "warn" : "" }) },
      { name: "Known", wide: true, of: one => one.here ? "registered here" : "from another gateway or process" }
    ], one => one.upstream + "\n" + one.name, "No member is registered.");
    const stores = new Table("Stores of sessions", [
      { name: "Store", of: one => one.store },
      { name: "State", wide: true, of: one => ({ text: STATES[one.state][0], kind: STATES[one.state][1], note: one.failure || undefined }) },
      { name: "To be written", number: true, of: one => count(one.pending) },
      { name: "Calls", number: true, of: calls },
      { name: "Failed", number: true, of: one => ({ text: count(one.failures), kind: one.failures ? "bad" : "" }) },
      { name: "Not made", number: true, of: one => ({ text: count(one.refused), title: "because the store did not answer before" }) },
      { name: "Outages", number: true, of: one => count(one.aways) },
      { name: "Late changes", number: true, of: one => ({ text: count(one.late), title: "left out for newer ones of other servers" }) }
    ], one => one.store, "Sessions are kept in memory: no other server has them.");
    const registrations = new Table("Where this server is a member", [
      { name: "Gateway", wide: true, of: one => one.at },
      { name: "Upstream", of: one => one.upstream },
      { name: "As", of: one => one.name },
      { name: "State", wide: true, of: one => ({ text: one.up ? "registered" : one.failure || "not yet", kind: one.up ? "good" : one.failure ? "bad" : "warn" }) }
    ], one => one.at + "\n" + one.upstream + "\n" + one.name, "This server registers nowhere.");
    const alone = h("p", { class: "empty" }, "This server shares nothing with other gateways: shared in margay.yaml is not set.");
    const shares = h("div", { class: "grid", hidden: true }, store.element, gateways.element);
    return {
      elements: [card("Gateways that share a store", alone, shares), card("Members that registered", registered.element),
        card("Where sessions are kept", stores.element), card("Where this server is a member", registrations.element)],
      update() {
        const all = now.cluster;
        if (!all) return;
        const shared = all.shared;
        alone.hidden = Boolean(shared);
        shares.hidden = !shared;
        if (shared) {
          store.update({
            "Store": shared.up ? { text: "answers", kind: "good" } : { text: "does not answer: this gateway works by itself", kind: "bad" },
            "Group": shared.group,
            "Calls": calls(shared),
            "Calls that failed": count(shared.failures),
            "Calls not made": count(shared.refused),
            "Changes not shared yet": count(shared.changesPending),
            "Counts lost": count(shared.countsLost),
            ...(shared.failure ? { "Failure": shared.failure } : {})
          });
          gateways.update(servers(shared));
        }
        registered.update(all.registered);
        stores.update(all.sessionStores);
        registrations.update(all.registrations);
      }
    };
  }
};
