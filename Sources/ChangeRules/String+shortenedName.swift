extension String {
    /// What a client named, to be told back to it: cut to a length that no legal name has.
    package var shortenedName: String {
        utf8.count <= 128 ? self : unicodeScalars.prefix(120).map(String.init).joined() + "…"
    }
}
