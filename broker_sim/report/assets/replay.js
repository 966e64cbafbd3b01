// The replay: controls, clock, keyboard and selection around the film and the canvas.

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
const SECONDS_A_HOP = 0.8;

const ICONS = {
  play: "M6 3l12 8l-12 8z",
  pause: "M5 3h4v16h-4zM13 3h4v16h-4z",
  forward: "M4 3l10 8l-10 8zM15 3h3v16h-3z",
  back: "M18 3l-10 8l10 8zM4 3h3v16h-3z",
  plus: "M9.5 4h3v5.500h5.500v3h-5.500v5.500h-3v-5.500h-5.500v-3h5.500z",
  minus: "M4 9.500h14v3h-14z",
  whole: "M3 3h6v2.500h-3.500v3.500h-2.500zM19 3h-6v2.500h3.500v3.500h2.500zM3 19h6v-2.500h-3.500v-3.500h-2.500zM19 19h-6v-2.500h3.500v-3.500h2.500z",
};

function icon(shape) {
  return draw("svg", { viewBox: "0 0 22 22", width: 18, height: 18, "aria-hidden": "true", class: "icon" },
    draw("path", { d: ICONS[shape] }));
}

function replaySection(data) {
  if (!data.replays.length || !data.topology) {
    if (data.kind !== "run") return null;
    const why = "Nothing was recorded. Run again with --trace to see the overlay in motion.";
    return section("replay", "Replay", make("p", { class: "muted", text: why }));
  }
  return new ReplayView(data).element;
}

class ReplayView {
  constructor(data) {
    this.data = data;
    this.at = 0;
    this.playing = false;
    this.kinds = new Set(KINDS);
    this.clients = clientsByBroker(data.manifest);
    this.build();
    this.overlay = new OverlayCanvas(this.canvas, data.topology, rolesByBroker(data.manifest));
    this.listen();
    this.load(Math.max(0, data.replays.indexOf("with-adv-with-cov")));
  }

  build() {
    const { data } = this;
    const choice = (id, label, options) => {
      const select = make("select", { id }, ...options.map(([value, text]) => make("option", { value, text })));
      this[id] = select;
      return make("label", {}, make("span", { text: label }), select);
    };
    const button = (id, shape, label, action) => {
      this[id] = make("button", { type: "button", id, "aria-label": label, title: label, onclick: action }, icon(shape));
      return this[id];
    };
    this.slider = make("input", { type: "range", min: 0, max: 1000, value: 0, step: "any", id: "moment", "aria-label": "Time" });
    this.canvas = make("canvas", {
      id: "overlay", tabindex: "0", role: "application", "aria-label":
        `The overlay of ${plural(data.topology.brokers.length, "broker")}. Space plays, left and right step, ` +
        "up and down go from broker to broker, plus and minus zoom.",
    });
    this.clock = make("p", { class: "clock", "aria-hidden": "true" });
    this.live = make("p", { class: "live", id: "live", "aria-live": "polite", role: "status" });
    this.details = make("aside", { id: "details", "aria-label": "Details" });
    this.legend = make("div", { class: "legend", role: "group", "aria-label": "Kinds of messages shown" });
    this.sampling = make("p", { class: "muted", id: "sampling" });
    const names = data.topology.brokers.map((name, place) => [place, this.label(name)]);
    this.element = section("replay", "Replay",
      make("div", { class: "bar" },
        choice("strategy", "Strategy", data.replays.map((name, place) => [place, name])),
        choice("document", "Document", []),
        choice("broker", "Broker", [[-1, "none"], ...names])),
      make("div", { class: "stage" },
        make("div", { class: "screen" }, this.clock, this.canvas,
          make("div", { class: "zoom" },
            button("closer", "plus", "Zoom in", () => this.zoom(1.5)),
            button("farther", "minus", "Zoom out", () => this.zoom(1 / 1.5)),
            button("whole", "whole", "Show the whole overlay", () => { this.overlay.fit(); this.paint(); })),
          make("div", { class: "player" },
            button("back", "back", "Step back", () => this.step(-1)),
            button("play", "play", "Play", () => this.toggle()),
            button("forward", "forward", "Step forward", () => this.step(1)),
            this.slider,
            choice("speed", "Speed", SPEEDS.map((speed) => [speed, `${speed}×`]))),
          this.legend, this.live),
        this.details),
      this.sampling);
    this.speed.value = "1";
  }

  label(name) {
    const label = this.data.topology.labels[name];
    return label && label !== name ? `${name} ${label}` : name;
  }

  listen() {
    const { canvas, overlay } = this;
    new ResizeObserver(() => { overlay.resize(); this.paint(); }).observe(canvas);
    window.addEventListener("themechange", () => { overlay.paintStill(); this.paint(); });
    this.strategy.addEventListener("change", () => this.load(Number(this.strategy.value)));
    this.document.addEventListener("change", () => this.chooseDocument(this.document.value));
    this.broker.addEventListener("change", () => this.select(Number(this.broker.value)));
    this.slider.addEventListener("input", () => { this.pause(); this.seek(Number(this.slider.value)); });
    this.slider.addEventListener("change", () => this.say(this.momentText()));
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return;
      event.preventDefault();
      overlay.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, event.offsetX, event.offsetY);
      this.paint();
    }, { passive: false });
    this.listenToPointer();
  }

  listenToPointer() {
    const { canvas, overlay } = this;
    let held = null;
    canvas.addEventListener("pointerdown", (event) => { held = { x: event.offsetX, y: event.offsetY, moved: 0 }; });
    canvas.addEventListener("pointermove", (event) => {
      if (!held) {
        const place = overlay.brokerAt(event.offsetX, event.offsetY);
        canvas.title = place < 0 ? "" : this.brokerText(place);
        canvas.style.cursor = place < 0 ? "default" : "pointer";
        return;
      }
      const [x, y] = [event.offsetX - held.x, event.offsetY - held.y];
      held = { x: event.offsetX, y: event.offsetY, moved: held.moved + Math.abs(x) + Math.abs(y) };
      overlay.pan(x, y);
      this.paint();
    });
    canvas.addEventListener("pointerup", (event) => {
      if (held && held.moved < 6) this.select(overlay.brokerAt(event.offsetX, event.offsetY));
      held = null;
    });
    for (const end of ["pointercancel", "pointerleave"]) canvas.addEventListener(end, () => { held = null; });
  }

  key(event) {
    const count = this.data.topology.brokers.length;
    const move = (by) => this.select((this.overlay.selected + by + count) % count);
    const actions = {
      " ": () => this.toggle(),
      ArrowRight: () => this.step(1),
      ArrowLeft: () => this.step(-1),
      ArrowDown: () => move(1),
      ArrowUp: () => move(this.overlay.selected < 0 ? 0 : -1),
      "+": () => this.zoom(1.5),
      "-": () => this.zoom(1 / 1.5),
      0: () => { this.overlay.fit(); this.paint(); },
      Escape: () => this.select(-1),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  }

  async load(place) {
    this.pause();
    const name = this.data.replays[place];
    const recording = await unpacked(`replay-${place}`);
    this.strategy.value = String(place);
    this.film = new Film(recording, this.data.topology);
    this.tables = recording.tables;
    this.figures = this.data.brokers[name];
    this.overlay.setFigures(this.data.links[name], this.figures);
    const documents = this.film.documents();
    this.document.replaceChildren(
      make("option", { value: "", text: "all messages" }),
      ...documents.map(([id, text]) => make("option", { value: id, text })),
    );
    this.sampling.textContent = this.sampleText();
    this.paintLegend();
    this.overlay.tree = null;
    this.rechoose(null);
    this.select(this.overlay.selected, { quiet: true });
    this.overlay.paintStill();
    this.seek(0);
    this.element.dataset.ready = name;
  }

  sampleText() {
    const parts = this.film.sample.map(({ kind, shown, total }) =>
      shown === total ? `all ${number(total)} ${kind}` : `${number(shown)} of ${number(total)} ${kind}`);
    const sampled = this.film.sample.some(({ shown, total }) => shown < total);
    const how = sampled
      ? "This is a sample: each message or document in it is shown on its whole way, others not at all."
      : "Nothing is left out.";
    return `Recorded: ${parts.join(", ")} messages. ${how} Time in which nothing moves is skipped. ` +
      "Links are as wide as the messages they carried in the whole run, brokers as dark as their tables are large.";
  }

  paintLegend() {
    this.legend.replaceChildren(...this.film.sample.map(({ kind }) => {
      const box = make("input", { type: "checkbox", checked: this.kinds.has(kind) });
      box.addEventListener("change", () => {
        if (box.checked) this.kinds.add(kind);
        else this.kinds.delete(kind);
        this.rechoose(this.film.document);
      });
      return make("label", { class: `k-${kind}` }, box, make("i"), kind);
    }));
  }

  // Choose anew what the film shows, and stay at the same moment of simulated time.
  rechoose(id) {
    const when = this.film.simulated(this.at);
    this.told = null;
    this.film.choose(this.kinds, id);
    this.slider.max = String(Math.max(1, this.film.length));
    this.seek(this.film.filmed(when));
  }

  chooseDocument(value) {
    this.pause();
    const id = value === "" ? null : Number(value);
    this.overlay.tree = id === null ? null : this.treeOf(id);
    this.rechoose(id);
    this.seek(0);
    this.overlay.selected = -1;
    this.broker.value = "-1";
    this.overlay.paintStill();
    this.showDetails();
    this.paint();
    if (id !== null) this.say(`${this.document.selectedOptions[0].textContent}: its delivery tree is shown.`);
  }

  treeOf(id) {
    const tree = new Set();
    const { hops, place, journeys } = this.film;
    for (let hop = 0; hop < this.film.count; hop += 1) {
      const [from, to] = [place[hops.sender[hop]], place[hops.receiver[hop]]];
      if (journeys[hops.journey[hop]].document === id && from >= 0 && to >= 0) tree.add(linkKey(from, to));
    }
    return tree;
  }

  select(place, { quiet = false } = {}) {
    this.overlay.selected = place;
    this.broker.value = String(place);
    this.overlay.paintStill();
    this.showDetails();
    this.paint();
    if (place >= 0 && !quiet) this.say(this.brokerText(place));
  }

  brokerText(place) {
    const name = this.data.topology.brokers[place];
    const [received, srt, prt] = this.figures[name] || [0, 0, 0];
    return `Broker ${this.label(name)}: ${number(received)} messages received, ${number(srt)} advertisements and ` +
      `${number(prt)} subscriptions known.`;
  }

  showDetails() {
    const place = this.overlay.selected;
    const id = this.film.document;
    let children = [make("h3", { text: "Nothing selected" }), make("p", {
      class: "muted", text: "Select a broker to see its tables and what it forwards where and why, or pick a document to see its delivery tree.",
    })];
    if (place >= 0) {
      const name = this.data.topology.brokers[place];
      const excerpt = this.tables.brokers.find((each) => each.broker === name);
      children = brokerDetails(excerpt, this.label(name), this.figures[name] || [0, 0, 0], this.clients.get(name) || []);
    } else if (id !== null) {
      const excerpt = this.tables.documents.find((each) => each.doc_id === id);
      children = documentDetails(this.film, id, this.document.selectedOptions[0].textContent, excerpt);
    }
    this.details.replaceChildren(...children.filter((child) => child !== null));
  }

  zoom(factor) {
    this.overlay.zoom(factor);
    this.paint();
  }

  // The clock

  toggle() {
    if (this.playing) {
      this.pause();
      this.say(this.momentText());
    } else {
      this.start();
    }
  }

  start() {
    if (this.at >= this.film.length) this.seek(0);
    this.playing = true;
    this.showPlaying("pause", "Pause");
    let before = performance.now();
    const frame = (now) => {
      if (!this.playing) return;
      const rate = (this.film.pulse / SECONDS_A_HOP) * Number(this.speed.value);
      this.seek(this.at + ((now - before) / 1000) * rate);
      before = now;
      if (this.at >= this.film.length) this.pause();
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  pause() {
    this.playing = false;
    this.showPlaying("play", "Play");
  }

  showPlaying(shape, label) {
    this.play.replaceChildren(icon(shape));
    this.play.setAttribute("aria-label", label);
    this.play.title = label;
  }

  seek(at) {
    this.at = Math.max(0, Math.min(this.film.length, at));
    this.slider.value = String(this.at);
    this.paint();
  }

  step(direction) {
    this.pause();
    const when = this.film.moment(this.stepsFrom(), direction);
    if (when === undefined) {
      this.say(direction > 0 ? "This is the end." : "This is the beginning.");
      return;
    }
    this.seek(this.film.filmed(when));
    this.told = { at: this.at, when };
    const arriving = this.film.arrivingAt(when);
    const more = arriving.length > 1 ? ` And ${number(arriving.length - 1)} more at the same moment.` : "";
    this.say(`${time(when)}: ${this.film.describe(arriving[0])}.${more}`);
  }

  // The moment that was told last, as long as nothing has moved: where an idle stretch was cut, one place of the film is
  // two moments. The film begins before all moments, so that what arrives at its very beginning is told as well.
  stepsFrom() {
    if (this.told && this.told.at === this.at) return this.told.when;
    return this.at === 0 ? -1 : this.film.simulated(this.at);
  }

  momentText() {
    const when = this.film.simulated(this.at);
    return `${time(when)}, ${plural(this.film.underWay(when).length, "hop")} under way`;
  }

  say(text) {
    this.live.textContent = text;
  }

  paint() {
    if (!this.film) return;
    const when = this.film.simulated(this.at);
    this.overlay.paint(this.film, when);
    this.clock.textContent = this.momentText();
    this.slider.setAttribute("aria-valuetext", time(when));
  }
}

// Where a client is, and when; results of older versions know only where it is first.
function staysOf({ broker, stays }) {
  return stays || [{ broker }];
}

function clientsByBroker(manifest) {
  const found = new Map();
  for (const client of [...(manifest.publishers || []), ...(manifest.subscribers || [])]) {
    for (const { broker, since, until } of staysOf(client)) {
      if (!found.has(broker)) found.set(broker, []);
      found.get(broker).push(client.name + stayText(since, until));
    }
  }
  return found;
}

function stayText(since, until) {
  const parts = [];
  if (since !== undefined) parts.push(`from ${since.toFixed(3)} s`);
  if (until !== undefined) parts.push(`until ${until.toFixed(3)} s`);
  return parts.length ? ` (${parts.join(" ")} after the first document)` : "";
}

// Brokers with a publisher have a ring of the colour of publications, those with a subscriber that of notifications.
function rolesByBroker(manifest) {
  const found = new Map();
  for (const client of manifest.subscribers || []) for (const { broker } of staysOf(client)) found.set(broker, "notify");
  for (const client of manifest.publishers || []) for (const { broker } of staysOf(client)) found.set(broker, "publish");
  return found;
}
