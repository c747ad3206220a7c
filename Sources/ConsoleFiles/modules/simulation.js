import { ApiError, send } from "./api.js";

/**
 * Runs a simulation, and calls `tell` with each line of the answer as it comes. Throws an
 * `AbortError` if the signal stops it, and an ApiError if the server does before its end.
 */
export async function simulate(body, signal, tell) {
  const { response } = await send("POST", "simulations", { body, signal, raw: true });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let hasEnded = false;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (text + value).split("\n");
    text = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      hasEnded ||= message.kind === "end";
      tell(message);
    }
  }
  if (!hasEnded) {
    throw new ApiError(0, {
      message: "the simulation ended before its result", help: "start it again",
    });
  }
}
