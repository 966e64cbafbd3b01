// The rows behind everything: a table that sorts by any column, and downloads as CSV.

const PAGE_ROWS = 100;
const HIDDEN = new Set(["schema_version", "experiment", "code_version", "traceback"]);
const TABLE_NAMES = {
  summary: "Strategies", brokers: "Brokers", links: "Links", timeline: "Over time", deliveries: "Deliveries",
  rows: "Rows", errors: "Errors",
};

function rowsSection(data) {
  const holder = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Rows" });
  const buttons = make("div", { class: "tabs", role: "group", "aria-label": "Table" });
  const foot = make("p", { class: "muted", role: "status" });
  const more = make("button", { type: "button", text: "Show more rows" });
  const save = make("button", { type: "button", id: "download", text: "Download as CSV" });
  const view = { name: "", columns: {}, order: [], sorted: null, up: true, shown: PAGE_ROWS };

  async function choose(name) {
    for (const button of buttons.children) button.setAttribute("aria-pressed", String(button.value === name));
    view.columns = await unpacked(`table-${name}`);
    view.name = name;
    view.order = Object.values(view.columns)[0].map((_, at) => at);
    view.sorted = null;
    view.shown = PAGE_ROWS;
    paint();
  }

  function sortBy(name) {
    view.up = view.sorted === name ? !view.up : typeof view.columns[name].find((each) => each !== null) !== "number";
    view.sorted = name;
    const values = view.columns[name];
    const sign = view.up ? 1 : -1;
    view.order.sort((first, second) => sign * compare(values[first], values[second]) || first - second);
    paint();
    holder.querySelector("th[aria-sort] button").focus();
  }

  function paint() {
    const names = Object.keys(view.columns).filter((name) => !HIDDEN.has(name));
    const heads = names.map((name) => {
      const direction = view.up ? "ascending" : "descending";
      const button = make("button", { type: "button", text: name.replaceAll("_", " "), onclick: () => sortBy(name) });
      const sorted = name === view.sorted ? direction : null;
      const numeric = view.columns[name].some((each) => typeof each === "number");
      return make("th", { scope: "col", class: numeric ? "number" : null, "aria-sort": sorted }, button);
    });
    const rows = view.order.slice(0, view.shown).map((at) =>
      make("tr", {}, ...names.map((name) => cell(view.columns[name][at]))),
    );
    holder.replaceChildren(
      make("table", { class: "rows" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)),
    );
    const total = view.order.length;
    const all = data.tables[view.name];
    const cut = all > total ? ` The page carries the first ${number(total)} of ${number(all)}.` : "";
    foot.textContent = `${number(Math.min(view.shown, total))} of ${plural(total, "row")} shown.${cut}`;
    more.hidden = view.shown >= total;
  }

  more.addEventListener("click", () => { view.shown += 5 * PAGE_ROWS; paint(); });
  save.addEventListener("click", () => download(`${view.name}.csv`, csv(view.columns), "text/csv"));
  for (const name of Object.keys(data.tables)) {
    const text = TABLE_NAMES[name] || name;
    buttons.append(make("button", { type: "button", value: name, text, onclick: () => choose(name) }));
  }
  const first = Object.keys(data.tables)[0];
  if (first) choose(first);
  return section("rows", "All numbers", make("div", { class: "bar" }, buttons, save), holder, foot, more);
}

function cell(value) {
  return make("td", { class: typeof value === "number" ? "number" : null, text: number(value) });
}

// Numbers by size, everything else by its text with numbers inside in their order; nothing comes last.
function compare(first, second) {
  if (first === null || second === null) return (first === null) - (second === null);
  if (typeof first === "number" && typeof second === "number") return first - second;
  return String(first).localeCompare(String(second), "en", { numeric: true });
}

// A text that a spreadsheet would take for a formula gets an apostrophe in front.
function csv(columns) {
  const names = Object.keys(columns);
  const quoted = (value) => {
    if (value === null) return "";
    let text = String(value);
    if (typeof value === "string" && /^[=+\-@\t\r]/.test(text)) text = `'${text}`;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const rows = columns[names[0]].map((_, at) => names.map((name) => quoted(columns[name][at])).join(","));
  return [names.map(quoted).join(","), ...rows].join("\r\n") + "\r\n";
}
