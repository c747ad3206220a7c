/// A ZIP archive built byte by byte, so that its records can be false.
package struct HandMadeArchive {
    package var entries: [HandMadeEntry]
    /// Whether it uses ZIP64.
    package var isLong = false
    package var comment: [UInt8] = []
    // False values for the end record.
    package var saidEntries: Int?
    package var saidBytes: Int?
    package var saidOffset: Int?
    package var part = 0
    // False values: the number of entries in the plain end record, and the place of the ZIP64 end
    // record in the locator.
    package var saidShortly = 0xFFFF
    package var saidLongEnd: Int?

    /// With a change.
    package init(
        _ entries: [HandMadeEntry], with change: (inout HandMadeArchive) -> Void = { _ in }
    ) {
        self.entries = entries
        change(&self)
    }

    /// The complete archive.
    package var bytes: [UInt8] {
        var contents: [UInt8] = []
        var directory: [UInt8] = []
        for entry in entries {
            directory += entry.record(at: entry.offset ?? contents.count, isLong: isLong)
            contents += entry.local
        }
        return contents + directory + end(after: directory, at: contents.count)
    }

    private func end(after directory: [UInt8], at offset: Int) -> [UInt8] {
        let count = saidEntries ?? entries.count
        let (length, said) = (saidBytes ?? directory.count, saidOffset ?? offset)
        guard isLong else {
            return shortEnd(count: count, length: length, offset: said)
        }
        let long: [UInt8] =
            [0x50, 0x4B, 6, 6] + little(44, 8) + little(45, 2) + little(45, 2) + little(part, 4)
            + little(part, 4) + little(count, 8) + little(count, 8) + little(length, 8)
            + little(said, 8)
        let locator: [UInt8] =
            [0x50, 0x4B, 6, 7] + little(0, 4)
            + little(saidLongEnd ?? offset + directory.count, 8) + little(1, 4)
        return long + locator
            + shortEnd(count: saidShortly, length: 0xFFFF_FFFF, offset: 0xFFFF_FFFF)
    }

    private func shortEnd(count: Int, length: Int, offset: Int) -> [UInt8] {
        [0x50, 0x4B, 5, 6] + little(part, 2) + little(part, 2) + little(count, 2)
            + little(count, 2) + little(length, 4) + little(offset, 4) + little(comment.count, 2)
            + comment
    }
}
