"use strict";
// What a phone could not send: it is kept there and sent again. A client id makes a second arrival the same press.
// Scripts of a page with #unsent use it (challenge_claims.js, challenge_plan.js).
const RETRY_AFTER = 10000;
const ANSWER_WITHIN = 30000;
const unsent = document.getElementById("unsent");
const KEPT = `${unsent.dataset.kept} ${location.pathname}`;

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

// Says of what was sent where it led to, that it waits, or what the page says where it is refused.
const send = async (fields, address) => {
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
    return { refused: (said ? said.textContent.trim().replace(/\s+/g, " ") : "") || String(answer.status) };
  } catch {
    return { waits: true };
  }
};
