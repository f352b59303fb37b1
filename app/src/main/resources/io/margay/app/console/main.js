// The frame of the console: which page is shown, and who the server is.
import { h, write, ago } from "./dom.js";
import { follow, now, pauseWhenHidden, say } from "./live.js";
import { overview } from "./overview.js";
import { traffic } from "./traffic.js";
import { map } from "./map.js";
import { requests } from "./requests.js";
import { applications } from "./applications.js";
import { upstreams } from "./upstreams.js";
import { cluster } from "./cluster.js";
import { configuration } from "./configuration.js";
import { certificates } from "./certificates.js";
import { guards } from "./guards.js";
import { log } from "./log.js";
import { jvm } from "./jvm.js";

const PAGES = [overview, traffic, map, requests, applications, upstreams, cluster, certificates, guards, configuration, log, jvm];

const at = id => document.getElementById(id);
const links = new Map();
let shown = null;

function lost() {
  say("The server does not answer; trying again.", true);
  lost.said = true;
}

function tick() {
  if (lost.said) {
    lost.said = false;
    say("");
  }
  const server = now.server;
  if (server) {
    write(at("server"), server.version + ", Java " + server.java + ", up " + ago(server.uptimeSeconds)
      + (server.serving ? "" : ", stopping"));
  }
  shown.update();
}

function show() {
  const wanted = location.hash.slice(1).split("/")[0] || "overview";
  const page = PAGES.find(one => one.id === wanted) || PAGES[0];
  if (shown && shown.id === page.id) return;
  for (const [id, link] of links) {
    if (id === page.id) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = page.name + " – Margay";
  const made = page.make();
  shown = { id: page.id, update: made.update };
  at("page").replaceChildren(h("h1", {}, page.name), ...made.elements);
  menu(false);
  follow(["server", ...page.parts], tick, lost);
}

function menu(open) {
  at("bar").classList.toggle("open", open);
  at("menu").setAttribute("aria-expanded", String(open));
}

at("pages").append(h("ul", {}, PAGES.map(page => {
  const link = h("a", { href: "#" + page.id }, page.name);
  links.set(page.id, link);
  return h("li", {}, link);
})));
at("menu").addEventListener("click", () => menu(!at("bar").classList.contains("open")));
at("token").value = sessionStorage.getItem("token") || "";
at("token").addEventListener("change", () => sessionStorage.setItem("token", at("token").value));
addEventListener("hashchange", () => {
  show();
  at("page").focus();
});
pauseWhenHidden(lost);
show();
