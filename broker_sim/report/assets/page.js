// The page itself: sections in their order, light and dark.

function answersSection(data) {
  const list = make("ul", { class: "answers" });
  for (const { about, text, good, promised } of data.answers) {
    const kind = good === false ? "bad" : good && promised ? "good" : "unchecked";
    const word = promised ? { good: "promise kept", bad: "promise broken", unchecked: "not checked" }[kind] : "nothing promised";
    const badge = data.kind === "run" || data.kind === "sweep" ? make("span", { class: `badge ${kind}`, text: word }) : null;
    list.append(make("li", { class: kind }, make("h3", {}, about, badge), make("p", { text })));
  }
  return section("answers", "The answer", list);
}

function chartsSection(data) {
  if (!data.charts.length) return null;
  return section("charts", "Charts", make("div", { class: "charts" }, ...data.charts.map(chartFigure)));
}

function specificationSection(data) {
  const { specification, environment, sweep, publishers, subscribers, documents } = data.manifest;
  const block = (title, value, open) => value === undefined ? null : make("details", { open },
    make("summary", { text: title }), make("pre", { tabindex: "0", text: JSON.stringify(value, null, 2) }));
  const parts = [
    block("Sweep", sweep, true), block("Specification", specification, true), block("Environment", environment, true),
    block("Clients", publishers && { publishers, subscribers, documents }, false),
  ].filter((part) => part !== null);
  if (!parts.length) {
    parts.push(make("p", { class: "muted", text: "These results are of a version that did not keep their specification." }));
  }
  return section("specification", "Specification and environment", ...parts);
}

function themeButton() {
  const button = document.getElementById("theme");
  const isDark = () => (document.documentElement.dataset.theme || (darkness.matches ? "dark" : "light")) === "dark";
  const name = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    name();
    repaint();
  });
  darkness.addEventListener("change", () => { name(); repaint(); });
  name();
}

// Charts follow the style by themselves; the canvas has to be drawn anew.
function repaint() {
  window.dispatchEvent(new Event("themechange"));
}

function start() {
  const data = JSON.parse(document.getElementById("data").textContent);
  document.getElementById("name").textContent = data.name;
  document.getElementById("description").textContent = data.description || "";
  const main = document.getElementById("main");
  const sections = [
    answersSection(data), replaySection(data), chartsSection(data), rowsSection(data), specificationSection(data),
  ].filter((each) => each !== null);
  main.replaceChildren(...sections);
  document.getElementById("sections").append(...sections.map((each) =>
    make("a", { href: `#${each.id}`, text: each.querySelector("h2").textContent })));
  const { environment } = data.manifest;
  document.getElementById("footer").textContent = environment
    ? `broker-sim ${environment.broker_sim}, Python ${environment.python}, ${environment.time}` : "broker-sim";
  themeButton();
}

start();
