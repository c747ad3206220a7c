/**
 * As fetch, which does not tell how much of a file has been sent: `sent` gets the share, from 0 to
 * 1.
 */
export function upload(url, { method, headers, body, sent }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.responseType = "blob";
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      if (total > 0) sent(loaded / total);
    });
    request.addEventListener("load", () => resolve(new Response(request.response, {
      status: request.status,
      headers: { "Content-Type": request.getResponseHeader("Content-Type") ?? "" },
    })));
    request.addEventListener("error", () => reject(new TypeError("the connection broke off")));
    request.send(body);
  });
}
