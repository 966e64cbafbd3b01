// What is known of one broker or one document: its tables, where things go from there, and why.

const REASONS = {
  forwarded: "forwarded",
  covered: "not forwarded: covered by",
  merged: "not forwarded: merged into",
  "not advertised": "not forwarded: nothing advertised from there overlaps it",
  "nobody else asks": "not forwarded: nobody else asks for it here",
};

function cutText({ texts, total }) {
  const more = total > texts.length ? ` and ${number(total - texts.length)} more` : "";
  return texts.join(", ") + more;
}

function hopText(tree, hop) {
  return tree > 0 ? `${hop} (tree ${tree})` : hop;
}

function facts(pairs) {
  return make("dl", { class: "facts" }, ...pairs.flatMap(([name, value]) => [
    make("dt", { text: name }), make("dd", { text: value }),
  ]));
}

function brokerDetails(excerpt, label, figures, clients) {
  const [received, srt, prt] = figures;
  const children = [
    make("h3", { id: "details-title", tabindex: "-1", text: `Broker ${label}` }),
    facts([
      ["messages received", number(received)],
      ["advertisements known", number(srt)],
      ["subscriptions known", number(prt)],
      ["clients here", clients.length ? listText(clients) : "none"],
    ]),
  ];
  if (excerpt) {
    children.push(carriedTable(excerpt.links), knownList("Advertisements (SRT), by the hop they came from",
      excerpt.advertisements), knownList("Subscriptions (PRT), by the hop they came from", excerpt.subscriptions),
    entryList(excerpt));
  }
  return children;
}

function listText(names) {
  const shown = names.slice(0, 4).join(", ");
  return names.length > 4 ? `${shown} and ${number(names.length - 4)} more` : shown;
}

function carriedTable(links) {
  if (!links.length) return null;
  const heads = ["link to", "asked", "needed", "forwarded"];
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "What each link carries" },
    make("table", {},
      make("caption", { text: "Subscriptions, link by link" }),
      make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { scope: "col", text })))),
      make("tbody", {}, ...links.map((link) => make("tr", {},
        make("th", { scope: "row", text: hopText(link.tree, link.hop) }),
        ...[link.asked, link.needed, link.forwarded].map(cell))))));
}

function knownList(title, known) {
  if (!known.length) return null;
  return make("details", {}, make("summary", { text: title }), make("ul", { class: "code" },
    ...known.map(({ tree, hop, entries }) =>
      make("li", {}, make("b", { text: `${hopText(tree, hop)}: ${number(entries.total)} ` }), cutText(entries)))));
}

function entryList(excerpt) {
  if (!excerpt.entries.length) return null;
  const title = excerpt.entries.length < excerpt.entries_total
    ? `What it forwards and why: ${excerpt.entries.length} of ${plural(excerpt.entries_total, "subscription")}`
    : `What it forwards and why: ${plural(excerpt.entries_total, "subscription")}`;
  return make("details", { open: true }, make("summary", { text: title }), make("ul", { class: "entries" },
    ...excerpt.entries.map((entry) => make("li", {},
      make("code", { text: entry.subscription }),
      make("span", { class: "muted", text: ` from ${entry.known_from.join(", ") || "nobody"}` }),
      make("ul", {}, ...entry.decisions.map(decisionItem))))));
}

function decisionItem({ tree, hop, reason, because }) {
  let text = `to ${hopText(tree, hop)}: ${REASONS[reason] || reason}`;
  if (reason === "forwarded") text += because.total ? `, overlaps ${cutText(because)}` : ", as everything is";
  else if (because.total) text += ` ${cutText(because)}`;
  return make("li", { class: reason === "forwarded" ? "yes" : "no", text });
}

function reasonsText(excerpt, travelled) {
  if (!excerpt) return "Reasons are kept for fewer documents than this page has.";
  return travelled && !excerpt.steps.length
    ? "Its publisher had left by the end of the run, and the tables that would tell the reasons with it."
    : "Reasons are read from the tables as they stood at the end of the run.";
}

function documentDetails(film, id, name, excerpt) {
  const notified = [];
  const passed = [];
  let published = Infinity;
  for (let hop = 0; hop < film.count; hop += 1) {
    if (film.journeys[film.hops.journey[hop]].document !== id) continue;
    const [from, to] = [film.names[film.hops.sender[hop]], film.names[film.hops.receiver[hop]]];
    published = Math.min(published, film.hops.departed[hop]);
    if (film.kinds[film.hops.kind[hop]] === "notify") notified.push([from, to, film.arrival(hop)]);
    else passed.push([from, to, film.hops.messages[hop]]);
  }
  const why = new Map((excerpt ? excerpt.steps : []).map((step) => [JSON.stringify([step.broker, step.hop]), step.because]));
  const reason = (from, to) => {
    const because = why.get(JSON.stringify([from, to]));
    return because && because.total ? `, because of ${cutText(because)}` : "";
  };
  return [
    make("h3", { id: "details-title", tabindex: "-1", text: name }),
    facts([
      ["published at", time(published)],
      ["brokers reached", number(passed.length)],
      ["clients notified", number(notified.length)],
    ]),
    make("details", { open: true }, make("summary", { text: "Its way, and why" }), make("ol", { class: "code" },
      ...passed.map(([from, to, messages]) => make("li", {
        text: `${from} → ${to}${messages > 1 ? ` (${number(messages)} paths)` : ""}${reason(from, to)}`,
      })))),
    make("details", {}, make("summary", { text: "Who was notified" }), make("ul", { class: "code" },
      ...notified.map(([from, to, at]) => make("li", {
        text: `${to} at ${from} after ${time(at - published)}${reason(from, to)}`,
      })))),
    make("p", { class: "muted", text: reasonsText(excerpt, passed.length > 1 || notified.length > 0) }),
  ];
}
