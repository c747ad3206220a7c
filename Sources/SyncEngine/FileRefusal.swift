/// Why somebody does not get a file, or may not send one.
package enum FileRefusal: Error, Hashable, Sendable {
    /// To whoever is not shown it, a file that is there is one that never was.
    case unknown
    /// A record shows it to the asker, and its contents have not come yet.
    case awaited
    /// They came, and are in the vault no more.
    case lost(ContentHash)
    case guidIllegal
    /// The asker's role may set no field that holds a file.
    case uploadNotAllowed
    case tooLarge(maxBytes: Int64)
    /// The asker has so much, or so many, that no record names.
    case tooManyLoose(max: Int, maxBytes: Int64)
    /// Somebody else spoke of it first. Whether it has contents, and which, is not told.
    case notYours
    /// It has other contents already, from the asker.
    case exists
    /// The part does not follow what is there.
    case partElsewhere(received: Int64)
    /// Another request has added to the same upload meanwhile.
    case overtaken
    /// What has come is not what it was said to be. It was thrown away.
    case digestWrong
}
