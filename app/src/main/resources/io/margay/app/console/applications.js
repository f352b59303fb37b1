// Applications: what runs, sessions, deployment.
import { ago, card, count, digits, h, instant, Table } from "./dom.js";
import { appKey, change, get, now, rate, say } from "./live.js";

const query = app => new URLSearchParams({ host: app.host, path: app.path, version: app.version });
const shownName = app => app.version ? app.path + "##" + app.version : app.path;
const SESSIONS_MAX = 500;

/** A button that does something on the server and says what came of it. */
export function action(text, of, run, verb = "") {
  const made = h("button", { type: "button", "aria-label": [text, verb, of].filter(part => part !== "").join(" ") }, String(text));
  made.addEventListener("click", async () => {
    if (made.ariaDisabled) return; // One that is disabled would lose the keyboard.
    made.ariaDisabled = "true";
    try {
      const said = await run();
      if (said) say(said);
    } catch (e) {
      say(e.message, true);
    }
    made.ariaDisabled = null;
  });
  return made;
}

export const applications = {
  id: "applications",
  name: "Applications",
  parts: ["applications"],
  make() {
    const sessions = sessionList();
    const table = new Table("Applications", [
      { name: "Path", of: app => ({ text: shownName(app), note: app.host || "any host" }) },
      { name: "Actions", actions: true, stamp: app => app.state, node: actions },
      { name: "State", wide: true, of: app => app.state === "failed" ? { text: "failed", note: app.failure, kind: "bad" }
        : app.failure ? { text: app.state + ", the version before", note: app.failure, kind: "warn" } : app.newVersion ? { text: app.state, kind: app.newVersion.takenBack ? "warn" : "",
          note: app.newVersion.takenBack ? "taken back: " + app.newVersion.takenBack
            : "gets " + digits(100 * app.newVersion.share) + " % of new clients" } : app.state },
      { name: "Sessions", number: true, stamp: app => app.sessions, node: (app, cell) => cell.append(app.sessions === 0 ? "0"
        : action(count(app.sessions), shownName(app), () => sessions.open(app), "sessions of")) },
      { name: "Requests/s", number: true, of: app => digits(rate("applications", appKey(app), one => one.requests)) },
      { name: "Requests", number: true, of: app => count(app.requests) },
      { name: "In flight", number: true, of: app => app.requestsRunning },
      { name: "Errors", number: true, of: app => ({ text: count(app.errors), kind: app.errors ? "bad" : "" }) },
      { name: "File", of: app => ({ text: app.file.split("/").pop(), title: app.file }) }
    ], appKey, "No application is deployed. Put a WAR into the webapps folder, or deploy one here.");
    return {
      elements: [h("section", { class: "card" }, table.element), sessions.element, deployment(), leaks()],
      update() {
        table.update(now.applications || []);
      }
    };
  }
};

function actions(app, cell) {
  const name = shownName(app);
  const post = (verb, done) => action(verb, name, async () => {
    await change("POST", "api/applications/" + verb + "?" + query(app));
    return name + " " + done;
  });
  cell.append(...app.state === "running"
    ? [post("reload", "was deployed anew."), post("stop", "was stopped.")] : [post("start", "was started.")],
  action("undeploy", name, async () => {
    if (!confirm("Undeploy " + name + " and delete its files?")) return "";
    await change("DELETE", "api/applications?" + query(app));
    return name + " was undeployed.";
  }));
}

function sessionList() {
  let of = null;
  const heading = h("h2", { id: "of-sessions", tabindex: "-1" }, "Sessions");
  const table = new Table("Sessions", [
    { name: "Session", of: one => one.id + "…" },
    { name: "User", of: one => one.user || "" },
    { name: "Created", of: one => instant(one.created) },
    { name: "Last used", of: one => ago(one.idleSeconds) + " ago" },
    { name: "Ends unused after", of: one => one.timeoutSeconds ? ago(one.timeoutSeconds) : "never" },
    { name: "Actions", actions: true, node: (one, cell) => cell.append(action("end", "session " + one.id + " of " + shownName(of), async () => {
      await change("DELETE", "api/applications/sessions?" + query(of) + "&key=" + one.key);
      await load();
      return "Session " + one.id + "… was ended.";
    })) }
  ], one => one.key, "No session.");
  const element = h("section", { class: "card", id: "sessions", hidden: true }, h("header", {}, heading,
    h("button", { type: "button", id: "close-sessions", onclick: () => { element.hidden = true; } }, "Close")), table.element);
  async function load() {
    const all = await get("api/applications/sessions?" + query(of));
    all.sort((a, b) => a.idleSeconds - b.idleSeconds);
    table.update(all.slice(0, SESSIONS_MAX));
    heading.textContent = "Sessions of " + shownName(of) + ": " + count(all.length)
      + (all.length > SESSIONS_MAX ? ", the " + SESSIONS_MAX + " that were used last" : "");
  }
  return {
    element,
    async open(app) {
      of = app;
      await load();
      element.hidden = false;
      heading.focus();
    }
  };
}

function deployment() {
  const war = h("input", { type: "file", accept: ".war", required: true });
  const path = h("input", { required: true, placeholder: "/shop", pattern: "/.*", size: "14" });
  const version = h("input", { size: "8" });
  const update = h("input", { type: "checkbox" });
  war.addEventListener("change", () => {
    const file = war.files[0];
    if (!file || path.value) return;
    const [name, after] = file.name.replace(/\.war$/i, "").split("##");
    path.value = name === "ROOT" ? "/" : "/" + name.replaceAll("#", "/");
    version.value = after || "";
  });
  const form = h("form", { class: "form" }, h("label", {}, "WAR", war), h("label", {}, "Path", path),
    h("label", {}, "Version", version), h("label", { class: "check" }, update, "replace the application at this path"),
    h("button", {}, "Deploy"));
  form.addEventListener("submit", async event => {
    event.preventDefault();
    say("Deploying…");
    try {
      await change("PUT", "api/applications?" + new URLSearchParams({
        path: path.value, version: version.value, update: update.checked }), war.files[0]);
      say(path.value + " was deployed.");
    } catch (e) {
      say(e.message, true);
    }
  });
  return card("Deploy", form);
}

function leaks() {
  return card("Memory of undeployed applications", h("p", {}, action("Find undeployed applications still in memory", "", async () => {
    const found = await change("POST", "api/leaks");
    return found.length === 0 ? "None is still in memory." : "Still in memory: " + found.map(one => one.path + " (undeployed "
      + one.undeployedSecondsAgo + " s ago" + (one.leftBehind.length ? "; left behind: " + one.leftBehind.join(", ") : "")
      + ")").join(", ");
  })));
}
