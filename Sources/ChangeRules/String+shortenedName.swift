extension String {
    /// A name that a client sent, to be repeated to it: cut to a length that no legal name has.
    package var shortenedName: String {
        utf8.count <= 128 ? self : unicodeScalars.prefix(120).map(String.init).joined() + "…"
    }
}
