import CZip

extension OpenArchive {
    /// The central directory's record of an entry, within the limits.
    func entry(
        at index: Int, named bytes: [UInt8], within limits: ArchiveLimits
    ) throws(ArchiveError) -> ArchiveEntry {
        let name = String(decoding: bytes, as: UTF8.self)
        if let fault = nameFault(of: bytes, maxBytes: limits.nameBytes) {
            throw .entry(name, fault)
        }
        var status = zip_stat_t()
        let wanted =
            ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD
        guard zip_stat_index(handle, UInt64(index), 0, &status) == 0,
            status.valid & UInt64(wanted) == UInt64(wanted)
        else { throw failure }
        let entry = ArchiveEntry(
            name: name, size: Int64(clamping: status.size), index: UInt64(index),
            packedBytes: Int64(clamping: status.comp_size))
        if let fault = fault(of: entry, status, within: limits) { throw .entry(name, fault) }
        return entry
    }

    private func fault(
        of entry: ArchiveEntry, _ status: zip_stat_t, within limits: ArchiveLimits
    ) -> EntryFault? {
        let method = Int32(status.comp_method)
        if status.encryption_method != ZIP_EM_NONE { return .encrypted }
        if method != ZIP_CM_STORE && method != ZIP_CM_DEFLATE {
            return .methodUnsupported(status.comp_method)
        }
        if entry.size > limits.entryBytes {
            return .tooLarge(bytes: entry.size, max: limits.entryBytes)
        }
        if !limits.allowsExpansion(of: entry.packedBytes, to: entry.size) {
            return .expandsTooMuch(
                bytes: entry.size, packedBytes: entry.packedBytes, max: limits.expansion)
        }
        if method == ZIP_CM_STORE && entry.size != entry.packedBytes {
            return .sizeWrong(declared: entry.size)
        }
        return nil
    }
}
