"use strict";
// Claims of a phone: a claim that cannot be sent is kept on the phone and sent again. Its client id makes a second
// arrival the same claim. Without JavaScript the form is sent as it is.
const RETRY_AFTER = 10000;
const KEPT = `challenge-claims ${location.pathname}`;
const unsent = document.getElementById("unsent");
const age = document.getElementById("age");
const form = document.getElementById("claim");

// A phone that keeps nothing can still send: then they wait in the page.
let inPage = null;
const kept = () => {
  if (inPage) {
    return inPage;
  }
  try {
    return JSON.parse(localStorage.getItem(KEPT)) || [];
  } catch {
    return [];
  }
};
const keep = (claims) => {
  try {
    localStorage.setItem(KEPT, JSON.stringify(claims));
    inPage = null;
  } catch {
    inPage = claims;
  }
};
const clientId = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

const show = () => {
  const claims = kept();
  unsent.hidden = claims.length === 0;
  const refused = claims.find((claim) => claim.refused);
  unsent.textContent = refused
    ? `${unsent.dataset.refused} ${refused.refused}`
    : `${unsent.dataset.waits} ${claims.length}`;
};

// Returns "" for a claim that has arrived, null for one that waits, and what the page says of a refused one.
const send = async (claim) => {
  const body = new URLSearchParams(claim.fields);
  body.set("csrfmiddlewaretoken", document.querySelector("#token input").value);
  try {
    const answer = await fetch(location.pathname, { method: "POST", body, credentials: "same-origin" });
    if (answer.ok) {
      return "";
    }
    if (answer.status >= 500 || answer.status === 429) {
      return null;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const said = page.querySelector("[role=alert], main p");
    return (said ? said.textContent.trim() : "") || String(answer.status);
  } catch {
    return null;
  }
};

let isSending = false;
const sendKept = async () => {
  if (isSending) {
    return;
  }
  isSending = true;
  let isSent = false;
  for (const claim of kept().filter((each) => !each.refused)) {
    const outcome = await send(claim);
    if (outcome === null) {
      break;
    }
    const others = kept().filter((each) => each.id !== claim.id);
    keep(outcome === "" ? others : [...others, { ...claim, refused: outcome }]);
    isSent = isSent || outcome === "";
  }
  isSending = false;
  show();
  if (isSent) {
    location.assign(location.pathname);
  }
};

if (form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const id = clientId();
    const fields = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken" && name !== "client_id");
    // A refused claim makes room for the next try.
    keep([...kept().filter((each) => !each.refused), { id, fields: [...fields, ["client_id", id]] }]);
    show();
    sendKept();
  });
}
addEventListener("online", sendKept);
setInterval(() => {
  const minutes = Math.floor(performance.now() / 60000);
  age.firstChild.textContent = minutes ? `${age.dataset.old} ${minutes}. ` : `${age.dataset.fresh} `;
  if (kept().some((each) => !each.refused)) {
    sendKept();
  }
}, RETRY_AFTER);
show();
sendKept();
