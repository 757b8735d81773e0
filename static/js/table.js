/* Marks are kept, counted as in rules/campaign/results/tabletop_counts.py, and sent */
const root = document.getElementById("table"), network = document.getElementById("network");
const page = JSON.parse(root.dataset.state), key = `table ${page.id} ${page.me}`;
const marks = new Map(), keep = (m) => marks.set(m.uid, m), all = () => [...marks.values()], waiting = () => all().filter((m) => m.waits);
const random = (below) => crypto.getRandomValues(new Uint32Array(1))[0] % below;
let cursor = page.cursor, wait = 0, busy, problem = "", timer;
try {
  JSON.parse(localStorage.getItem(key)).forEach((m) => m.waits && !page.sides.includes(m.side) || keep(m));
} catch {}
page.marks.forEach(keep);

function fold() {
  const undone = new Set(all().map((m) => m.side + m.mark.of)), live = all().filter((m) => !undone.has(m.side + m.uid));
  const sum = (found, field = "amount") => found.reduce((total, m) => total + m.mark[field], 0);
  const newest = (found) => found.sort((a, b) => b.mark.step - a.mark.step || (a.uid < b.uid ? 1 : -1))[0]?.mark;
  const next = (found) => (newest(found)?.step || 0) + 1, within = (number, most) => Math.max(0, Math.min(number, most));
  const units = {}, sides = {}, round = 1 + Math.max(0, ...live.map((m) => m.mark.number || 0));
  for (const name in page.units) {
    const unit = page.units[name], now = units[name] = { steps: {} };
    const own = (kind) => live.filter((m) => m.mark.kind === kind && m.mark.unit === name);
    now.clicks = within(unit.before + sum(own("damage")) - sum(own("repair")), unit.dial);
    now.heat = within(sum(own("heat")), unit.heat);
    now.eliminated = now.clicks === unit.dial || own("elimination")[0];
    if (now.eliminated) now.clicks = unit.dial;
    now.click = within(now.clicks + 1, unit.dial);
    for (const state of ["shutdown", "unconscious"]) {
      now[state] = newest(own(state))?.on;
      now.steps[state] = next(own(state));
    }
    now.shutdown ||= now.heat === unit.heat;
    now.killed = new Set(own("kill").map((m) => m.mark.of));
    for (const value in unit.values) {
      const table = unit.values[value][now.unconscious ? 0 : 1];
      now[value] = (table[0].length ? table[now.heat] : table)[now.clicks] ?? "–";
    }
    (sides[unit.side] ||= { kills: 0, points: 0 }).kills += now.killed.size;
  }
  for (const name in sides) {
    const own = (kind) => live.filter((m) => m.mark.kind === kind && m.side === name), side = sides[name];
    side.tokens = sum(own("token"), "rp");
    side.surrendered = own("surrender")[0];
    side.step = next(own("flag"));
    for (const flag in sides) {
      const place = newest(own("flag").filter((m) => m.mark.flag === flag))?.place;
      side.points += page.flags[`${flag === name} ${place}`] || 0;
    }
  }
  return { undone, units, sides, round };
}

function show() {
  const counts = fold(), each = (what, act) => root.querySelectorAll(`[data-${what}]`).forEach((one) => act(one, one.dataset[what]));
  const at = (one) => {
    const { unit, side } = (one.closest("[data-unit], [data-side]") || one).dataset;
    return counts.units[unit] || counts.sides[side] || counts;
  };
  const holds = (one, when) => {
    const [name, ...listed] = when.split(" "), value = at(one)[name.replace("!", "")];
    return (listed[0] ? value.has?.(listed[0]) || listed.includes(`${value}`) : !!value) !== (name[0] === "!");
  };
  each("show", (one, name) => { one.textContent = at(one)[name]; });
  each("when", (one, when) => { one.hidden = !holds(one, when); });
  each("stop", (one, stop) => { one.disabled = holds(one, stop); });
  const gone = (m) => counts.undone.has(m.side + m.uid), count = waiting().length;
  const lines = all().filter((m) => m.mark.kind !== "undo").sort((a, b) => a.at < b.at ? 1 : -1);
  each("undo", (button) => {
    const last = lines.find((m) => page.sides.includes(m.side) && !gone(m));
    button.disabled = !last;
    button.value = JSON.stringify({ side: last?.side, mark: { kind: "undo", of: last?.uid } });
  });
  root.querySelector(".table-log").replaceChildren(...lines.slice(0, 60).map((m) => {
    const line = document.createElement("li");
    line.textContent = `${m.told} ${gone(m) ? page.undone : ""} · ${m.who} ${new Date(m.at).toTimeString().slice(0, 5)}`;
    return line;
  }));
  if (network) network.textContent = `${problem} ${count ? `${page.waits} ${count}` : page.saved}`;
  try { localStorage.setItem(key, JSON.stringify(all())); } catch {}
}

async function send() {
  if (busy) return;
  busy = true;
  clearTimeout(timer);
  const batch = waiting().slice(0, 50);
  try {
    const answer = await fetch(root.dataset.marks, {
      method: "POST", signal: AbortSignal.timeout(60000),
      headers: { "Content-Type": "application/json", "X-CSRFToken": root.elements.csrfmiddlewaretoken.value },
      body: JSON.stringify({ since: cursor, marks: batch }),
    });
    const news = await answer.json();
    problem = news.detail || "";
    if (!answer.ok) throw news;
    batch.forEach((m) => { delete m.waits; });
    news.refused.forEach((m) => { marks.delete(m.uid); problem = m.detail; });
    news.marks.forEach(keep);
    cursor = news.cursor;
    wait = 0;
    if (news.version !== page.version && !waiting()[0]) return location.reload();
  } catch { wait = Math.min(wait * 2 || 2, 60); }
  busy = false;
  show();
  timer = setTimeout(send, 1000 * (wait || (waiting()[0] ? 0 : 4)));
}

root.addEventListener("submit", (event) => {
  event.preventDefault();
  const button = event.submitter, { side, mark } = JSON.parse(button.value), counts = fold();
  let line = button.dataset.line || "";
  if (mark.number) mark.number = counts.round;
  if (mark.step) mark.step = mark.unit ? counts.units[mark.unit].steps[mark.kind] : counts.sides[side].step;
  if (mark.purpose) {
    mark.by = "phone";
    mark.dice = Array.from({ length: page.dice[mark.purpose] }, () => random(6) + 1);
    const dice = mark.dice.map((die, place) => place === 2 ? `${die} (${page.odd})` : die);
    document.getElementById("rolled").textContent = line += ` ${dice.join(" + ")} = ${mark.dice.reduce((a, b) => a + b)}`;
  }
  const uid = "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (c) => (c ^ random(16) >> c / 4).toString(16));
  keep({ uid, side, mark, told: line, who: page.name, at: new Date().toISOString(), waits: true });
  show();
  send();
});
addEventListener("online", send);
document.addEventListener("visibilitychange", send);
navigator.serviceWorker?.register("/table-worker.js", { scope: location.pathname }).catch(() => 0);
show();
send();
