// Certificates, the first to expire above.
import { count, h, Table } from "./dom.js";
import { now } from "./live.js";

export const daysLeft = one => Math.floor((Date.parse(one.expires) - Date.now()) / 86400000);
const SHOWN_MAX = 1000;

export const certificates = {
  id: "certificates",
  name: "Certificates",
  parts: ["system"],
  make() {
    const table = new Table("Certificates", [
      { name: "Subject", wide: true, of: one => one.subject },
      { name: "Listener", of: one => one.listener },
      { name: "Expires", of: one => one.expires.slice(0, 10) },
      { name: "Days left", number: true, of: one => {
        const days = daysLeft(one);
        return { text: days < 0 ? "expired" : count(days), kind: days < 14 ? "bad" : days < 30 ? "warn" : "" };
      } },
      { name: "File", of: one => ({ text: one.file.split("/").pop(), title: one.file }) }
    ], one => one.listener + "\n" + one.file + "\n" + one.subject, "No listener speaks TLS.");
    return {
      elements: [h("section", { class: "card" }, table.element)],
      update() {
        const all = [...(now.system?.certificates || [])].sort((a, b) => a.expires.localeCompare(b.expires));
        table.update(all.slice(0, SHOWN_MAX));
      }
    };
  }
};
