// What the server tells: parts of its state, sent again when they have changed.

/** The newest value of each part that is followed. */
export const now = {};

const before = {};
const fresh = new Set();
let followed = [];
let events = null;
let seconds = 0;
let last = 0;
let told = () => {};

/** Seconds between the last two ticks; 0 = there has been one at most. */
export const elapsed = () => seconds;

const KEYS = {
  listeners: all => all.map(one => [one.name, one]),
  applications: all => all.map(one => [appKey(one), one]),
  upstreams: all => all.flatMap(one => one.members.map(member => [one.name + "\n" + member.name, member])),
  meters: all => all.map(one => [meterKey(one), one]),
  hosts: all => all.flatMap(one => [[one.name + "\n", one], ...one.routes.map(route => [one.name + "\n" + route.path, route])])
};

export const meterKey = one => one.name + "\n" + JSON.stringify(one.labels);

export const appKey = app => app.host + "\n" + app.path + "\n" + app.version;

/** What a counter has grown by in a second since the tick before; NaN = not known yet. */
export function rate(part, key, read) {
  const old = before[part]?.get(key);
  const current = index(part).get(key);
  return old && current && seconds > 0 ? Math.max(0, read(current) - read(old)) / seconds : NaN;
}

let indexed = {};
function index(part) {
  return indexed[part] ??= new Map(now[part] ? KEYS[part](now[part]) : []);
}

/** Follows these parts in place of those before. */
export function follow(parts, onTick, onFailure) {
  told = onTick;
  followed = parts;
  close();
  if (document.hidden) return;
  seconds = 0;
  last = 0;
  for (const part of parts) delete before[part];
  events = new EventSource("api/events?parts=" + parts.join(","));
  for (const part of parts) {
    events.addEventListener(part, event => {
      if (!fresh.has(part)) keep(part);
      fresh.add(part);
      const value = JSON.parse(event.data);
      now[part] = part === "log-lines" ? [...(now[part] || []), ...value].slice(-2000) : value;
      delete indexed[part];
    });
  }
  events.addEventListener("tick", event => {
    for (const part of followed) if (!fresh.has(part)) keep(part);
    fresh.clear();
    const at = JSON.parse(event.data).at;
    seconds = last ? (at - last) / 1000 : 0;
    last = at;
    told();
  });
  events.onerror = () => onFailure();
}

function keep(part) {
  if (KEYS[part] && now[part]) before[part] = index(part);
}

function close() {
  if (events) events.close();
  events = null;
  if (followed.includes("log-lines")) delete now["log-lines"];
}

/** A page that nobody sees costs nothing. */
export function pauseWhenHidden(onFailure) {
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) close();
    else if (!events) follow(followed, told, onFailure);
  });
}

export async function get(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(path + ": " + answer.status);
  return answer.json();
}

/** What was entered as the token; empty = nothing. */
export const token = () => document.getElementById("token").value;

/** Asks for a change, with the token. */
export async function change(method, path, body) {
  const answer = await fetch(path, { method, body, headers: { Authorization: "Bearer " + token() } });
  if (answer.status === 401) throw new Error("The token is missing or wrong.");
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.error);
  return value;
}

export function say(text, failed = false) {
  const said = document.getElementById("said");
  said.textContent = text;
  said.className = failed ? "failed" : "";
  clearTimeout(say.timer);
  if (text && !failed) say.timer = setTimeout(() => { said.textContent = ""; }, 8000);
}
