"""A small SMTP server for tests.

Usage: server.py MODE FOLDER [REPLY ...]. MODE is plain, starttls or tls; FOLDER has certificate and
key. Each mail is answered with the next reply, and with 250 after the last. Writes its port, and
then each mail that it has taken as a line of JSON.
"""

import base64
import json
import socket
import ssl
import sys

MODE, FOLDER, REPLIES = sys.argv[1], sys.argv[2], sys.argv[3:]
CONTEXT = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
CONTEXT.load_cert_chain(FOLDER + "/server.pem", FOLDER + "/server.key")


def write(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


class Session:
    def __init__(self, connection):
        self.mail = {"tls": False, "auth": None, "from": None, "to": []}
        self.open(connection, MODE == "tls")
        self.say("220 test")

    def open(self, connection, is_secure):
        if is_secure:
            connection = CONTEXT.wrap_socket(connection, server_side=True)
            self.mail["tls"] = True
        self.connection = connection
        self.lines = connection.makefile("rb")

    def say(self, text):
        self.connection.sendall(text.encode() + b"\r\n")

    def run(self):
        while line := self.lines.readline().decode().rstrip("\r\n"):
            if not self.answer(line):
                return

    def answer(self, line):
        verb = line.split(" ")[0].split(":")[0].upper()
        if verb == "EHLO":
            extra = ["AUTH PLAIN"]
            if MODE == "starttls" and not self.mail["tls"]:
                extra = ["STARTTLS"]
            self.say("\r\n".join(["250-test"] + ["250-" + e for e in extra] + ["250 8BITMIME"]))
        elif verb == "STARTTLS":
            self.say("220 go on")
            self.open(self.connection, True)
        elif verb == "AUTH":
            words = line.split(" ")
            if len(words) < 3:
                self.say("334 ")
                words.append(self.lines.readline().decode().strip())
            self.mail["auth"] = base64.b64decode(words[2]).decode().split("\0")[1:]
            self.say("235 welcome")
        elif verb == "MAIL":
            self.mail["from"] = line
            self.say("250 yes")
        elif verb == "RCPT":
            self.mail["to"].append(line)
            self.say("250 yes")
        elif verb == "DATA":
            self.say("354 go on")
            text = ""
            while (part := self.lines.readline().decode()) != ".\r\n":
                text += part
            reply = REPLIES.pop(0) if REPLIES else "250 taken"
            if reply.startswith("250"):
                write(json.dumps({**self.mail, "data": text}))
            self.say(reply)
        elif verb == "QUIT":
            self.say("221 bye")
            return False
        else:
            self.say("502 no")
        return True


listener = socket.create_server(("127.0.0.1", 0))
write(str(listener.getsockname()[1]))
while True:
    peer, _ = listener.accept()
    try:
        Session(peer).run()
    except (OSError, ssl.SSLError):
        pass
    finally:
        peer.close()
