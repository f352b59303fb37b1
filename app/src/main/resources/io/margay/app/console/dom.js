// Elements, tables that are updated in place, and how numbers are written.

/** Makes an element. Properties begin with a dot, listeners with "on"; the rest are attributes. */
export function h(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name.startsWith(".")) made[name.slice(1)] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter(child => child !== null && child !== undefined));
  return made;
}

/** Writes a text only if it has changed, so that what is selected stays so. */
export function write(element, text, kind) {
  const wanted = String(text);
  if (element.textContent !== wanted) element.textContent = wanted;
  if (kind !== undefined && element.className !== kind) element.className = kind;
  return element;
}

/**
 * A table whose rows are found again by their key.
 *
 * Columns: {name, number, wide, actions, of: row => text or {text, kind, title, note}, node: (row, cell) => void}.
 * What `node` builds is left alone as long as `stamp(row)` is the same.
 */
export class Table {
  constructor(label, columns, key, empty = "Nothing yet.") {
    this.columns = columns;
    this.key = key;
    this.rows = new Map();
    this.body = h("tbody");
    this.none = h("p", { class: "empty" }, empty);
    this.frame = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
      h("table", { class: columns.some(column => column.wide || column.actions) ? "stacks" : null }, h("thead", {}, h("tr", {}, columns.map(column =>
        h("th", { scope: "col", class: column.number ? "number" : null }, column.name)))), this.body));
    this.element = h("div", {}, this.frame, this.none);
    this.update([]);
  }

  update(rows) {
    const seen = new Set();
    let place = this.body.firstChild;
    for (const row of rows) {
      const key = this.key(row);
      if (seen.has(key)) continue;
      seen.add(key);
      let line = this.rows.get(key);
      if (!line) {
        line = h("tr", {}, this.columns.map(column => h("td", { "data-name": column.name })));
        this.rows.set(key, line);
      }
      this.fill(line, row);
      if (line === place) place = place.nextSibling;
      else this.body.insertBefore(line, place);
    }
    for (const [key, line] of this.rows) {
      if (!seen.has(key)) {
        line.remove();
        this.rows.delete(key);
      }
    }
    this.frame.hidden = rows.length === 0;
    this.none.hidden = rows.length > 0;
  }

  fill(line, row) {
    this.columns.forEach((column, i) => {
      const cell = line.cells[i];
      const base = [column.number && "number", column.wide && "wide", column.actions && "actions"].filter(Boolean).join(" ");
      if (column.node) {
        const stamp = JSON.stringify(column.stamp ? column.stamp(row) : 0);
        if (cell.stamp !== stamp) {
          cell.stamp = stamp;
          const held = cell.contains(document.activeElement);
          cell.replaceChildren();
          column.node(row, cell);
          // What can be done with the same thing now keeps the keyboard's place.
          if (held) cell.querySelector("button, a")?.focus();
        }
        if (cell.className !== base) cell.className = base;
        return;
      }
      const value = column.of(row);
      const { text, kind, title, note } = typeof value === "object" && value !== null ? value : { text: value };
      if (note === undefined) {
        cell.stamp = undefined;
        write(cell, text ?? "");
      } else if (cell.stamp !== text + "\n" + note) {
        cell.stamp = text + "\n" + note;
        cell.replaceChildren(text, h("span", { class: "note" }, note));
      }
      const wanted = (base + (kind ? " " + kind : "")).trim();
      if (cell.className !== wanted) cell.className = wanted;
      if ((cell.title || "") !== (title || "")) cell.title = title || "";
    });
  }
}

/** A list of names and values, updated in place. */
export class Facts {
  constructor(kind = "facts") {
    this.element = h("dl", { class: kind });
    this.values = new Map();
    this.kind = kind;
  }

  update(facts) {
    for (const [name, value] of Object.entries(facts)) {
      let place = this.values.get(name);
      if (!place) {
        place = h("dd");
        this.values.set(name, place);
        this.element.append(h("div", { class: this.kind === "tiles" ? "tile" : null }, h("dt", {}, name), place));
      }
      if (value && typeof value === "object") {
        const shown = value.text + "|" + value.unit;
        if (place.shown !== shown) {
          place.shown = shown;
          place.replaceChildren(value.text, value.unit ? h("small", {}, value.unit) : "");
        }
        place.className = value.kind || "";
      } else {
        place.shown = undefined;
        write(place, value, "");
      }
    }
    for (const [name, place] of this.values) {
      if (!(name in facts)) {
        place.parentElement.remove();
        this.values.delete(name);
      }
    }
  }
}

/** A part of a page with its heading. */
export function card(title, ...children) {
  return h("section", { class: "card" }, h("header", {}, h("h2", {}, title)), ...children);
}

const whole = new Intl.NumberFormat("en");

export const count = n => whole.format(Math.round(n));

/** A rate or another number of any size, to three digits. */
export function digits(n) {
  if (!Number.isFinite(n)) return "–";
  return n >= 100 || Number.isInteger(n) ? whole.format(Math.round(n)) : n >= 10 ? n.toFixed(1) : n.toFixed(2);
}

export function bytes(n) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let at = 0;
  while (n >= 1024 && at < units.length - 1) { n /= 1024; at++; }
  return { text: at === 0 ? whole.format(Math.round(n)) : digits(n), unit: units[at] };
}

export const size = n => n < 0 ? "not known" : Object.values(bytes(n)).join(" ");

export function millis(ms) {
  if (!Number.isFinite(ms)) return { text: "–", unit: "" };
  return ms >= 1000 ? { text: digits(ms / 1000), unit: "s" } : { text: digits(ms), unit: "ms" };
}

export const took = ms => Object.values(millis(ms)).join(" ").trim();

export function ago(seconds) {
  if (seconds < 0) return "never";
  return seconds < 120 ? Math.floor(seconds) + " s" : seconds < 7200 ? Math.floor(seconds / 60) + " min"
    : seconds < 172800 ? Math.floor(seconds / 3600) + " h" : Math.floor(seconds / 86400) + " days";
}

export const instant = text => text ? text.slice(0, 19).replace("T", " ") + " UTC" : "";

export const percent = part => Number.isFinite(part) ? digits(100 * part) + " %" : "–";
