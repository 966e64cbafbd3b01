// Charts as SVG with hover values, each with the same numbers as a table.

const KINDS = ["advertise", "unadvertise", "subscribe", "unsubscribe", "publish", "notify"];
const ROW = 46;
const HEIGHT = 260;
const MARGIN = { left: 56, right: 14, top: 10, bottom: 42 };

function seriesClass(name, place) {
  return [...KINDS, "reliability"].includes(name) ? `k-${name}` : `c${place % 8}`;
}

// Round values from 0 to at least `top`, about `count` of them.
function ticksTo(top, count) {
  const rough = (top || 1) / count;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].find((each) => each * unit >= rough) * unit;
  const ticks = [];
  for (let place = 0; place === 0 || ticks[ticks.length - 1] < top * 0.9999; place += 1) ticks.push(place * step);
  return ticks;
}

function chartFigure(chart) {
  const tip = make("div", { class: "tip", hidden: true });
  const holder = make("div", { class: "plot" });
  const figure = make(
    "figure",
    { class: chart.type === "bars" ? "chart bars" : "chart lines" },
    make("figcaption", {}, make("h3", { text: chart.title }), make("p", { text: chart.note })),
    holder,
    legend(chart),
    make("details", {}, make("summary", { text: "Show as a table" }), chartTable(chart)),
  );
  const paint = chart.type === "bars" ? paintBars : paintLines;
  let width = 0;
  new ResizeObserver(() => {
    if (holder.clientWidth === width || !holder.clientWidth) return;
    width = holder.clientWidth;
    holder.replaceChildren(paint(chart, width, tip), tip);
  }).observe(holder);
  return figure;
}

function legend(chart) {
  const list = make("ul", { class: "legend" });
  const entry = (name, kind) => list.append(make("li", { class: kind }, make("i"), name));
  if (chart.type === "bars") {
    chart.parts.forEach((part, place) => entry(part.name, seriesClass(part.name, place)));
    if (chart.marks.length) entry("paper", "mark");
  } else {
    for (const { names, place, series } of distinctSeries(chart)) {
      entry(names.join(" = "), seriesClass(series.name, place) + (series.mark ? " single" : ""));
    }
  }
  return list;
}

// Lines that run through the same points are drawn, and named, as one.
function distinctSeries(chart) {
  const found = new Map();
  chart.series.forEach((series, place) => {
    const key = JSON.stringify([series.xs, series.ys]);
    if (found.has(key)) found.get(key).names.push(series.name);
    else found.set(key, { names: [series.name], place, series });
  });
  return [...found.values()];
}

function chartTable(chart) {
  let heads;
  let rows;
  if (chart.type === "bars") {
    heads = ["name", ...chart.parts.map((part) => part.name), ...(chart.marks.length ? ["paper"] : [])];
    rows = chart.categories.map((name, place) => [
      name,
      ...chart.parts.map((part) => number(part.values[place])),
      ...(chart.marks.length ? [number(chart.marks[place])] : []),
    ]);
  } else {
    heads = ["name", chart.x_label, chart.y_label, "low", "high"];
    const bounded = chart.series.some((series) => series.low.length);
    if (!bounded) heads.length = 3;
    rows = chart.series.flatMap((series) =>
      sparse(series.xs.length, 25).map((place) => {
        const x = chart.ticks.length ? chart.ticks[series.xs[place]] : number(series.xs[place]);
        const row = [series.name, x, number(series.ys[place])];
        return bounded ? [...row, number(series.low[place]), number(series.high[place])] : row;
      }),
    );
  }
  return make(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": `${chart.title}, as a table` },
    make(
      "table",
      {},
      make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { scope: "col", text })))),
      make(
        "tbody",
        {},
        ...rows.map(([first, ...rest]) =>
          make("tr", {}, make("th", { scope: "row", text: first }), ...rest.map((text) => make("td", { text }))),
        ),
      ),
    ),
  );
}

function sparse(length, most) {
  const count = Math.min(length, most);
  return Array.from({ length: count }, (_, place) => (count < 2 ? 0 : Math.round((place * (length - 1)) / (count - 1))));
}

function showTip(tip, x, y, width, lines) {
  tip.replaceChildren(
    ...lines.map(([text, kind]) => make("div", kind ? { class: kind } : {}, kind ? make("i") : null, text)),
  );
  tip.hidden = false;
  tip.style.left = `${Math.max(4, Math.min(x + 14, width - tip.offsetWidth - 4))}px`;
  tip.style.top = `${Math.max(0, y - tip.offsetHeight - 10)}px`;
}

function paintBars(chart, width, tip) {
  const totals = chart.categories.map((_, at) => chart.parts.reduce((sum, part) => sum + part.values[at], 0));
  const top = Math.max(...totals, ...chart.marks.map((mark) => mark || 0), 1e-9);
  const room = width - 84;
  const height = chart.categories.length * ROW + 6;
  const svg = draw("svg", { width, height, role: "img", "aria-label": `${chart.title}: ${summary(chart, totals)}` });
  chart.categories.forEach((name, at) => {
    const y = at * ROW + 22;
    const group = draw("g", { class: "bar" });
    group.append(draw("text", { x: 0, y: y - 6, class: "name", text: name }));
    let x = 0;
    chart.parts.forEach((part, place) => {
      const length = (part.values[at] / top) * room;
      group.append(draw("rect", { x, y, width: length, height: 16, class: seriesClass(part.name, place) }));
      x += length;
    });
    const mark = chart.marks[at];
    if (mark) group.append(draw("rect", { x: (mark / top) * room - 1.5, y: y - 4, width: 3, height: 24, class: "mark" }));
    const end = Math.max(x, mark ? (mark / top) * room + 2 : 0);
    group.append(draw("text", { x: end + 6, y: y + 13, class: "value", text: number(totals[at]) }));
    group.append(draw("rect", { x: 0, y: y - 20, width, height: ROW - 2, class: "touch" }));
    const lines = [[name], ...chart.parts.map((part, place) => [
      `${part.name} ${number(part.values[at])}`, seriesClass(part.name, place),
    ])];
    if (mark) lines.push([`paper ${number(mark)}`, "mark"]);
    group.addEventListener("pointermove", (event) => showTip(tip, event.offsetX, y, width, lines));
    group.addEventListener("pointerleave", () => { tip.hidden = true; });
    svg.append(group);
  });
  return svg;
}

function summary(chart, totals) {
  return chart.categories.map((name, at) => `${name} ${number(totals[at])} ${chart.unit}`).join(", ");
}

function paintLines(chart, width, tip) {
  const shown = distinctSeries(chart);
  const xs = shown.flatMap(({ series }) => series.xs);
  const ys = shown.flatMap(({ series }) => [...series.ys, ...series.high.filter((value) => value !== null)]);
  const yTicks = ticksTo(Math.max(...ys, 1e-9), 5);
  const lowest = chart.ticks.length ? -0.25 : Math.min(...xs, chart.step ? 0 : Infinity);
  const xTicks = chart.ticks.length ? chart.ticks.map((_, at) => at) : ticksTo(Math.max(...xs, 1e-9), width / 90);
  const highest = chart.ticks.length ? chart.ticks.length - 0.75 : Math.max(...xs, 1e-9);
  const inner = { width: width - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
  const toX = (x) => MARGIN.left + ((x - lowest) / (highest - lowest || 1)) * inner.width;
  const toY = (y) => MARGIN.top + (1 - y / yTicks[yTicks.length - 1]) * inner.height;
  const svg = draw("svg", {
    width, height: HEIGHT, role: "img",
    "aria-label": `${chart.title}: ${chart.y_label} against ${chart.x_label} for ${plural(chart.series.length, "line")}`,
  });
  for (const tick of yTicks) {
    svg.append(
      draw("line", { x1: MARGIN.left, x2: width - MARGIN.right, y1: toY(tick), y2: toY(tick), class: "grid" }),
      draw("text", { x: MARGIN.left - 7, y: toY(tick) + 4, class: "tick end", text: short.format(tick) }),
    );
  }
  for (const tick of xTicks.filter((each) => each >= lowest && each <= highest)) {
    const text = chart.ticks.length ? chart.ticks[tick] : short.format(tick);
    svg.append(draw("text", { x: toX(tick), y: HEIGHT - MARGIN.bottom + 18, class: "tick middle", text }));
  }
  svg.append(
    draw("text", { x: MARGIN.left + inner.width / 2, y: HEIGHT - 6, class: "axis middle", text: chart.x_label }),
  );
  for (const { series, place } of shown) paintSeries(svg, chart, series, seriesClass(series.name, place), toX, toY);
  const cursor = draw("line", { y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom, class: "cursor", visibility: "hidden" });
  svg.append(cursor);
  svg.addEventListener("pointermove", (event) => {
    const x = lowest + ((event.offsetX - MARGIN.left) / inner.width) * (highest - lowest);
    const near = shown.map(({ series }) => nearest(series, x, chart.step));
    const at = shown[0].series.xs[near[0]];
    const head = chart.ticks.length ? chart.ticks[at] : `${number(chart.step ? Math.max(0, x) : at)} ${chart.x_label}`;
    const lines = shown.map(({ series, names, place }, which) => [
      `${names[0]}${names.length > 1 ? ` and ${names.length - 1} more` : ""}: ${number(series.ys[near[which]])}`,
      seriesClass(series.name, place),
    ]);
    const where = chart.step ? Math.min(Math.max(event.offsetX, MARGIN.left), width - MARGIN.right) : toX(at);
    cursor.setAttribute("x1", where);
    cursor.setAttribute("x2", where);
    cursor.setAttribute("visibility", "visible");
    showTip(tip, where, event.offsetY, width, [[head], ...lines]);
  });
  svg.addEventListener("pointerleave", () => {
    tip.hidden = true;
    cursor.setAttribute("visibility", "hidden");
  });
  return svg;
}

function paintSeries(svg, chart, series, kind, toX, toY) {
  const points = series.xs.map((x, at) => [toX(x), toY(series.ys[at])]);
  if (series.mark) {
    for (const [x, y] of points) {
      svg.append(draw("path", { d: `M${x} ${y - 6}l6 6l-6 6l-6 -6z`, class: `dot ${kind}` }));
    }
    return;
  }
  const bounds = series.xs.map((x, at) => [toX(x), series.low[at], series.high[at]]).filter((one) => one[1] != null);
  if (bounds.length > 1) {
    const upper = bounds.map(([x, , high]) => `${x} ${toY(high)}`);
    const lower = bounds.map(([x, low]) => `${x} ${toY(Math.max(0, low))}`).reverse();
    svg.append(draw("path", { d: `M${[...upper, ...lower].join("L")}z`, class: `band ${kind}` }));
  }
  let way = "";
  points.forEach(([x, y], at) => {
    if (at && chart.step) way += `H${x}`;
    way += `${at ? "L" : "M"}${x} ${y}`;
  });
  svg.append(draw("path", { d: way, class: `line ${kind}` }));
  if (!chart.step && points.length <= 20) {
    for (const [cx, cy] of points) svg.append(draw("circle", { cx, cy, r: 3, class: `dot ${kind}` }));
  }
}

// The place of the point that counts at x: the nearest one, or the last before it where values stay until the next.
function nearest(series, x, step) {
  let best = 0;
  series.xs.forEach((each, at) => {
    if (step ? each <= x : Math.abs(each - x) < Math.abs(series.xs[best] - x)) best = at;
  });
  return best;
}
