/// The comment lines of a module, and those that begin with a substitute for a subject.
struct CommentLineCount {
    var lines = 0
    var openers = 0
}

/// Words that begin a sentence such as "Who is cancelled is not served" or "Of two, the first
/// counts". A subject, a verb and an object say the same more directly.
private let openers: Set<Substring> = ["Of", "Who", "What", "Whose", "Whoever", "Whatever"]

/// Counts the lines of `//` and `///` comments by module.
func commentLineCounts(in files: [SourceText]) -> [String: CommentLineCount] {
    var counts: [String: CommentLineCount] = [:]
    for file in files {
        for line in file.lines {
            let text = line.drop { $0 == " " }
            guard text.hasPrefix("//") else { continue }
            let word = text.drop { $0 == "/" || $0 == " " }.prefix { $0.isLetter }
            counts[file.module, default: CommentLineCount()].lines += 1
            if openers.contains(word) { counts[file.module]?.openers += 1 }
        }
    }
    return counts
}
