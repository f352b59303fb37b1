// Traffic by listener, host, route and application.
import { card, count, digits, h, size, Table } from "./dom.js";
import { now, rate } from "./live.js";
import { mean } from "./upstreams.js";

const ROUTES_MAX = 300;

/** Columns with the counts of each class of status. */
const statuses = [1, 2, 3, 4].map(i => ({
  name: i + 1 + "xx",
  number: true,
  of: one => ({ text: count(one.statuses[i]), kind: i === 4 && one.statuses[i] ? "bad" : "" })
}));

const sum = all => all.reduce((a, b) => a + b, 0);

export const traffic = {
  id: "traffic",
  name: "Traffic",
  parts: ["listeners", "hosts"],
  make() {
    const listeners = new Table("Listeners", [
      { name: "Listener", of: one => one.name },
      { name: "Requests/s", number: true, of: one => digits(rate("listeners", one.name, each => each.requests)) },
      { name: "Mean ms", number: true, of: one => digits(mean("listeners", one.name)) },
      { name: "Sent/s", number: true, of: one => {
        const sent = rate("listeners", one.name, each => each.bytesSent);
        return Number.isFinite(sent) ? size(sent) : "–";
      } },
      { name: "Requests", number: true, of: one => count(one.requests) },
      { name: "In flight", number: true, of: one => one.requestsActive },
      { name: "4xx", number: true, of: one => count(one.clientErrors) },
      { name: "5xx", number: true, of: one => ({ text: count(one.serverErrors), kind: one.serverErrors ? "bad" : "" }) },
      { name: "Broken off", number: true, of: one => count(one.requestsFailed) },
      { name: "Connections", number: true, of: one => count(one.connectionsOpen) },
      { name: "Received", number: true, of: one => size(one.bytesReceived) },
      { name: "Sent", number: true, of: one => size(one.bytesSent) }
    ], one => one.name, "No listener is open.");
    const routes = new Table("Hosts and routes", [
      { name: "Host", of: one => one.host },
      { name: "Route", of: one => one.path },
      { name: "Answers/s", number: true, of: one => digits(rate("hosts", one.key, each => sum(each.statuses))) },
      ...statuses
    ], one => one.key, "No host has answered yet.");
    const heading = card("Hosts and routes", routes.element);
    return {
      elements: [card("Listeners", listeners.element), heading],
      update() {
        listeners.update(now.listeners || []);
        const all = (now.hosts || []).flatMap(host => {
          const name = host.name === "*" ? "any" : host.name;
          return [{ host: name, path: "all", key: host.name + "\n", statuses: host.statuses },
            ...host.routes.map(route => ({ ...route, host: name, key: host.name + "\n" + route.path }))];
        });
        routes.update(all.slice(0, ROUTES_MAX));
        heading.querySelector("h2").textContent = "Hosts and routes"
          + (all.length > ROUTES_MAX ? ": the first " + ROUTES_MAX + " of " + count(all.length) : "");
      }
    };
  }
};
