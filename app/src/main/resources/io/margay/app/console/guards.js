// Limits, shield, cache and everything else that is counted, by what it is.
import { card, count, digits, h, percent, size, Table } from "./dom.js";
import { meterKey, now, rate } from "./live.js";

const GROUPS = [
  ["Limits", /^margay_(?:limit_|held_|connections_over_)/],
  ["Shield", /^margay_shield_/],
  ["Cache", /^margay_cache_/],
  ["Logins", /^margay_(?:login|openid)_/],
  ["Session stores and shared state", /^margay_(?:session_store|shared)_/]
];

const labels = one => Object.entries(one.labels).map(([name, value]) =>
  name === "host" && value === "*" ? "any host" : value.startsWith(name) ? value : name + " " + value).join(", ");
const words = one => one.name.replace(/^margay_/, "").replaceAll("_", " ");

/** A number as people read it. */
const shown = one => one.unit ? one.unit(one.value) : /_bytes$/.test(one.name) ? size(one.value)
  : Number.isInteger(one.value) ? count(one.value) : digits(one.value);

/** What each cache has answered itself, of all that it could have. */
function ratios(meters) {
  const of = (one, name) => meters.find(each => each.name === name && labels(each) === labels(one))?.value || 0;
  return meters.filter(one => one.name === "margay_cache_hits").map(one => {
    const hits = one.value + of(one, "margay_cache_stale_hits");
    return { ...one, name: "margay_cache_hit_ratio", kind: "gauge", unit: percent, value: hits / (hits + of(one, "margay_cache_misses")) };
  });
}

function table(label, empty) {
  return new Table(label, [
    { name: "What", of: one => ({ text: words(one), title: one.name }) },
    { name: "Of", wide: true, of: labels },
    { name: "Now", number: true, of: shown },
    { name: "Per second", number: true, of: one => one.kind === "counter" ? digits(rate("meters", meterKey(one), each => each.value)) : "" }
  ], meterKey, empty);
}

export const guards = {
  id: "guards",
  name: "Counters",
  parts: ["meters"],
  make() {
    const filter = h("input", { type: "search", size: "28", placeholder: "name or label" });
    const all = table("Counters found", "Type a part of a name above: member, handshake, host …");
    const groups = GROUPS.map(([name, pattern]) => {
      const made = table(name, "");
      return { pattern, made, element: card(name, made.element) };
    });
    function update() {
      const counted = (now.meters || []).filter(one => one.kind !== "distribution");
      const meters = [...ratios(counted), ...counted];
      for (const group of groups) {
        const own = meters.filter(one => group.pattern.test(one.name));
        group.made.update(own);
        group.element.hidden = own.length === 0;
      }
      const text = filter.value.toLowerCase();
      all.update(text === "" ? [] : meters.filter(one => (one.name + " " + labels(one)).toLowerCase().includes(text)).slice(0, 300));
    }
    filter.addEventListener("input", update);
    return {
      elements: [...groups.map(group => group.element), card("Find a counter", h("div", { class: "form" },
        h("label", {}, "Filter", filter)), all.element)],
      update
    };
  }
};
