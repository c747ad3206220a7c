/// A file in an archive, as listed in the central directory.
package struct ArchiveEntry: Hashable, Sendable {
    /// Not empty, `.` or `..`, and without path separators and control characters.
    package let name: String
    /// Uncompressed, in bytes. Reading gives exactly this many bytes, or an error.
    package let size: Int64
    let index: UInt64
    let packedBytes: Int64
}
