"use strict";
// Claims and presses of a plan stay on the phone until they have arrived, in their order; an id makes a second arrival
// the same press. In a plan what is refused stops those behind it. Without JavaScript the forms are sent as they are.
const RETRY_AFTER = 10000;
const ANSWER_WITHIN = 30000;
const DOUBLE_TAP = 1500;
const OF_THE_PILOT = new URL("..", location).href;
const byId = (id) => document.getElementById(id);
const unsent = byId("unsent");
const words = byId("unsent-words");
const age = byId("age");
const KEPT = `${unsent.dataset.kept} ${location.pathname}`;

// A phone that keeps nothing can still send: then they wait in the page.
let inPage = null;
const kept = () => {
  try {
    return inPage || JSON.parse(localStorage.getItem(KEPT)) || [];
  } catch {
    return [];
  }
};
const keep = (presses) => {
  try {
    localStorage.setItem(KEPT, JSON.stringify(presses));
    inPage = null;
  } catch {
    inPage = presses;
  }
  const refused = presses.find((press) => press.refused);
  unsent.hidden = !presses.length;
  words.textContent = refused
    ? `${words.dataset.refused} ${refused.refused}`
    : `${words.dataset.waits} ${presses.length}`;
  byId("unsent-presses").replaceChildren(
    ...presses.map((press) => Object.assign(document.createElement("li"), { textContent: press.title })),
  );
  byId("unsent-others").hidden = !refused || presses.length < 2;
};
const waiting = () => kept().filter((press) => !press.refused);
const plain = (element) => element.textContent.trim().replace(/\s+/g, " ");

// Says where it led to, that it waits, or what the page says where it is refused.
const send = async ({ fields, address }) => {
  const body = new URLSearchParams(fields);
  body.set("csrfmiddlewaretoken", document.querySelector("#token input").value);
  try {
    const signal = AbortSignal.timeout?.(ANSWER_WITHIN);
    const answer = await fetch(address, { method: "POST", body, credentials: "same-origin", signal });
    if (answer.ok) {
      return { leadsTo: answer.url };
    }
    if (answer.status >= 500 || answer.status === 429) {
      return { waits: true };
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const said = page.querySelector("[role=alert]") || page.querySelector("main p:not(.crumbs)");
    return { refused: (said && plain(said)) || String(answer.status) };
  } catch {
    return { waits: true };
  }
};

let isSending = false;
const sendKept = async () => {
  if (isSending) {
    return;
  }
  isSending = true;
  let leadsTo = "";
  for (let [next] = waiting(); next && (unsent.dataset.each || !kept()[0].refused); [next] = waiting()) {
    const outcome = await send(next);
    if (outcome.waits) {
      break;
    }
    leadsTo = outcome.leadsTo || leadsTo;
    keep(
      kept().flatMap((press) => (press.id !== next.id ? press : outcome.leadsTo ? [] : { ...press, ...outcome })),
    );
  }
  isSending = false;
  if (leadsTo && !waiting().length) {
    location.assign(leadsTo);
  }
};

let last = "";
document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (form.method !== "post" || !form.action.startsWith(OF_THE_PILOT)) {
    return;
  }
  event.preventDefault();
  const fields = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken" && name !== "client_id");
  if (submitter?.name) {
    fields.push([submitter.name, submitter.value]);
  }
  const said = JSON.stringify(fields);
  if (said === last) {
    return;
  }
  last = said;
  setTimeout(() => (last = ""), DOUBLE_TAP);
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const title = plain(form.querySelector(".offer-title, h3") || submitter || form);
  // What was refused makes room for the next try.
  keep([...waiting(), { id, title, address: form.action, fields: [...fields, ["client_id", id]] }]);
  sendKept().then(() => unsent.scrollIntoView());
});
byId("unsent-others").addEventListener("click", () => {
  keep(waiting());
  sendKept();
});
byId("unsent-drop").addEventListener("click", () => keep([]));
addEventListener("online", sendKept);
setInterval(() => {
  if (age) {
    const minutes = Math.floor(performance.now() / 60000);
    age.firstChild.textContent = minutes ? `${age.dataset.old} ${minutes}. ` : `${age.dataset.fresh} `;
  }
  sendKept();
}, RETRY_AFTER);
keep(kept());
sendKept();
