// A recorded strategy as a film: hops in simulated time, and the film's own time, from which idle stretches are cut.

class Film {
  constructor(recording, topology) {
    this.names = recording.names;
    this.kinds = recording.kinds;
    this.journeys = recording.journeys;
    this.sample = recording.sample;
    this.hops = recording.hops;
    this.count = this.hops.departed.length;
    const brokers = new Map(topology.brokers.map((name, place) => [name, place]));
    this.place = this.names.map((name) => (brokers.has(name) ? brokers.get(name) : -1));
    const travels = this.hops.travel.filter((travel) => travel > 0).sort((first, second) => first - second);
    this.pulse = travels.length ? travels[travels.length >> 1] : 1000;
    // What takes no time, between a client and its broker, is shown for as long as one hop usually takes.
    this.shown = this.hops.span.map((span, hop) => (this.hops.travel[hop] > 0 ? span : span + this.pulse));
    this.choose(new Set(this.kinds), null);
  }

  // Show these kinds only, and one document only unless it is null.
  choose(kinds, document) {
    this.document = document;
    const { kind, journey } = this.hops;
    this.visible = [];
    for (let hop = 0; hop < this.count; hop += 1) {
      if (!kinds.has(this.kinds[kind[hop]])) continue;
      if (document !== null && this.journeys[journey[hop]].document !== document) continue;
      this.visible.push(hop);
    }
    this.longest = this.visible.reduce((most, hop) => Math.max(most, this.shown[hop]), 0);
    const arrivals = this.visible.map((hop) => this.arrival(hop));
    this.moments = [...new Set(arrivals)].sort((first, second) => first - second);
    this.cutIdle();
  }

  arrival(hop) {
    return this.hops.departed[hop] + this.hops.travel[hop];
  }

  cutIdle() {
    this.stretches = [];
    let length = 0;
    for (const hop of this.visible) {
      const start = this.hops.departed[hop];
      const end = start + this.shown[hop];
      const last = this.stretches[this.stretches.length - 1];
      if (last && start <= last.end + this.pulse / 2) {
        length += Math.max(0, end - last.end);
        last.end = Math.max(last.end, end);
      } else {
        this.stretches.push({ start, end, at: length });
        length += end - start;
      }
    }
    this.length = length;
  }

  // Film time -> simulated time.
  simulated(at) {
    if (!this.stretches.length) return 0;
    let low = 0;
    for (let high = this.stretches.length - 1; low < high; ) {
      const middle = (low + high + 1) >> 1;
      if (this.stretches[middle].at <= at) low = middle;
      else high = middle - 1;
    }
    const stretch = this.stretches[low];
    return Math.min(stretch.end, stretch.start + at - stretch.at);
  }

  // Simulated time -> film time.
  filmed(when) {
    let best = 0;
    for (const stretch of this.stretches) {
      if (stretch.start > when) break;
      best = stretch.at + Math.min(when, stretch.end) - stretch.start;
    }
    return best;
  }

  // The place of the first visible hop that departs after a moment.
  after(when) {
    let low = 0;
    for (let high = this.visible.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (this.hops.departed[this.visible[middle]] > when) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  // All hops that are under way at a moment.
  underWay(when) {
    const found = [];
    for (let place = this.after(when) - 1; place >= 0; place -= 1) {
      const hop = this.visible[place];
      const departed = this.hops.departed[hop];
      if (departed < when - this.longest) break;
      if (departed + this.shown[hop] >= when) found.push(hop);
    }
    return found;
  }

  // The next moment at which something arrives, or the one before.
  moment(when, direction) {
    const { moments } = this;
    if (direction > 0) return moments.find((each) => each > when + 0.5);
    for (let place = moments.length - 1; place >= 0; place -= 1) if (moments[place] < when - 0.5) return moments[place];
    return undefined;
  }

  arrivingAt(when) {
    return this.visible.filter((hop) => Math.abs(this.arrival(hop) - when) < 0.5);
  }

  describe(hop) {
    const { sender, receiver, kind, journey, messages } = this.hops;
    const { content } = this.journeys[journey[hop]];
    const [from, to] = [this.names[sender[hop]], this.names[receiver[hop]]];
    const many = messages[hop] > 1 ? ` (${number(messages[hop])} paths)` : "";
    if (this.kinds[kind[hop]] === "notify") return `${from} notifies ${to} of ${content}`;
    return `${this.kinds[kind[hop]]} ${content}${many} from ${from} to ${to}`;
  }

  // The recorded documents: id, name and the moment of publication, in the order of their ids.
  documents() {
    const found = new Map();
    for (let hop = 0; hop < this.count; hop += 1) {
      const { document, content } = this.journeys[this.hops.journey[hop]];
      if (document !== null && !found.has(document)) found.set(document, content);
    }
    return [...found].sort((first, second) => first[0] - second[0]);
  }
}
