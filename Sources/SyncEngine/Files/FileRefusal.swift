/// A reason why a file cannot be read or uploaded.
package enum FileRefusal: Error, Hashable, Sendable {
    /// The file does not exist, or the asker may not see it.
    case unknown
    /// A record shows the file to the asker, but its content was not uploaded yet.
    case awaited
    /// The content was uploaded but is missing from the blob store.
    case lost(ContentHash)
    case guidIllegal
    /// The asker's role may not set any file field.
    case uploadNotAllowed
    case tooLarge(maxBytes: Int64)
    /// The asker has reached a limit on files that no record names.
    case tooManyLoose(max: Int, maxBytes: Int64)
    /// Another user owns the file. The refusal does not reveal whether the file has content.
    case notYours
    /// The file already has other content from the asker.
    case exists
    /// The part does not start where the received bytes end.
    case partElsewhere(received: Int64)
    /// Another request added to the same upload in the meantime.
    case overtaken
    /// The received content does not match the announced hash. It was discarded.
    case digestWrong
}
