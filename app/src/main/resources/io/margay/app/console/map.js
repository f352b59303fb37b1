// From listeners through hosts and what answers to the members of upstreams, with live rates.
import { digits, h } from "./dom.js";
import { Health, MINUTES } from "./health.js";
import { appKey, now, rate } from "./live.js";
import { state } from "./upstreams.js";

const NS = "http://www.w3.org/2000/svg";
const WIDTH = 1180, BOX = 210, ROW = 58, GAP = 10;
const BOXES_MAX = 60;

function svg(tag, attributes, ...children) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const stages = host => host.stages.map(one => one.toLowerCase().replaceAll("_", " ")).join(" → ");

/** Columns of boxes {id, title, note, more, health, kind}, and lines {from, to, rate}. */
function model(health) {
  const hours = new Map(health.members.map(one => [one.upstream + "\n" + one.member, health.hour(one)
    .map(run => ({ ...run, name: run.state && health.states[run.state[1]].name, title: health.says(run, MINUTES) }))]));
  const sum = all => all.reduce((a, b) => a + b, 0);
  const boxes = [[], [], [], []];
  const lines = [];
  for (const one of now.listeners || []) {
    boxes[0].push({ id: "l" + one.name, title: one.name, note: digits(rate("listeners", one.name, each => each.requests)) + "/s" });
  }
  const known = new Map((now.upstreams || []).map(one => [one.name, one]));
  const used = new Set();
  for (const host of now.map || []) {
    const id = "h" + host.name;
    const perSecond = rate("hosts", host.name + "\n", each => sum(each.statuses));
    boxes[1].push({ id, title: host.name === "*" ? "any host" : host.name,
      note: Number.isFinite(perSecond) ? digits(perSecond) + "/s" : "idle",
      more: stages(host), hint: stages(host) });
    for (const one of now.listeners || []) lines.push({ from: "l" + one.name, to: id, rate: perSecond });
    for (const target of host.targets) {
      const to = target.kind === "upstream" ? "u" + target.to : "t" + host.name + target.path + target.to;
      if (target.kind === "upstream") used.add(target.to);
      const app = target.kind === "application"
        ? (now.applications || []).find(one => one.path === target.to && (one.host === host.name || one.host === "")) : null;
      const here = app ? rate("applications", appKey(app), each => each.requests)
        : rate("hosts", host.name + "\n" + target.path, each => sum(each.statuses));
      if (target.kind !== "upstream") {
        boxes[2].push({ id: to, title: target.kind + " " + target.to, kind: app && app.state === "failed" ? "bad" : "",
          note: (app ? app.state + ", " : "") + (Number.isFinite(here) ? digits(here) + "/s" : "idle") });
      }
      lines.push({ from: id, to, rate: here });
    }
  }
  for (const name of used) {
    const upstream = known.get(name);
    if (!upstream) continue;
    boxes[2].push({ id: "u" + name, title: "upstream " + name, kind: upstream.down ? "bad" : "",
      note: upstream.down ? "down" : upstream.members.length + (upstream.members.length === 1 ? " member" : " members") });
    for (const member of upstream.members) {
      const key = name + "\n" + member.name;
      const perSecond = rate("upstreams", key, each => each.requests);
      boxes[3].push({ id: "m" + key, title: member.name, kind: member.usable ? "" : "bad",
        note: (member.usable ? member.activation : state(member)) + ", " + digits(perSecond) + "/s",
        hint: member.url, health: hours.get(key) });
      lines.push({ from: "u" + name, to: "m" + key, rate: perSecond });
    }
  }
  return { boxes, lines };
}

function draw({ boxes, lines }) {
  const places = new Map();
  const shown = boxes.map(column => column.slice(0, BOXES_MAX));
  const height = Math.max(1, ...shown.map(column => column.length)) * (ROW + GAP) + GAP;
  const drawn = svg("svg", { class: "map", viewBox: "0 0 " + WIDTH + " " + height, role: "img",
    "aria-label": "Listeners, hosts, what answers, members" });
  const above = [];
  shown.forEach((column, i) => {
    const left = i * (WIDTH - BOX) / 3;
    column.forEach((box, j) => {
      const top = GAP + j * (ROW + GAP);
      places.set(box.id, { left, middle: top + ROW / 2 });
      const rect = svg("rect", { x: left, y: top, width: BOX, height: ROW, rx: 7, class: box.kind || "" });
      if (box.hint) rect.append(svg("title", {}, box.hint));
      above.push(rect, svg("text", { x: left + 10, y: top + 19 }, cut(box.title)),
        svg("text", { x: left + 10, y: top + 36, class: "soft" }, cut(box.note)));
      if (box.more) above.push(svg("text", { x: left + 10, y: top + 51, class: "soft small" }, cut(box.more, 36)));
      if (box.health) above.push(strip(box.health, left + 10, top + 44));
    });
  });
  for (const line of lines) {
    const from = places.get(line.from), to = places.get(line.to);
    if (!from || !to) continue;
    const x = from.left + BOX, bend = (x + to.left) / 2;
    const wide = line.rate > 0 ? Math.min(8, 1.2 + Math.log10(1 + line.rate) * 2) : 1;
    drawn.append(svg("path", { d: `M${x} ${from.middle}C${bend} ${from.middle} ${bend} ${to.middle} ${to.left} ${to.middle}`,
      "stroke-width": wide, class: line.rate > 0 ? "" : "idle" }));
  }
  drawn.append(...above);
  return drawn;
}

/** A member's last hour, from left to right: the worse, the higher. */
function strip(runs, left, top) {
  const step = (BOX - 20) / MINUTES;
  return svg("g", { class: "health" }, ...runs.filter(run => run.name).map(run => {
    const low = run.name === "usable" ? 3 : 0;
    return svg("rect", { x: left + run.from * step, y: top + low, width: (run.to - run.from) * step, height: 7 - low, class: run.name },
      svg("title", {}, run.title));
  }));
}

const cut = (text, most = 30) => text.length > most ? text.slice(0, most - 1) + "…" : text;

export const map = {
  id: "map",
  name: "Map",
  parts: ["listeners", "map", "hosts", "applications", "upstreams"],
  make() {
    const place = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Map" });
    const more = h("p", { class: "soft", hidden: true }, "Of each column, the first " + BOXES_MAX + " are shown.");
    const note = h("p", { class: "soft" }, "The strip of a member is its last hour: low and green where it was usable.");
    const health = new Health();
    let stamp = "";
    return {
      elements: [h("section", { class: "card" }, place, note, more)],
      update() {
        health.look();
        note.hidden = health.members.length === 0;
        const wanted = model(health);
        const text = JSON.stringify(wanted);
        if (text === stamp) return;
        stamp = text;
        place.replaceChildren(draw(wanted));
        more.hidden = wanted.boxes.every(column => column.length <= BOXES_MAX);
      }
    };
  }
};
