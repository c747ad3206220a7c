import AdminWire
import DefinitionCompiler
import DefinitionModel
import Foundation
import SyncEngine

extension DraftFile {
    /// The file on the disk from which a definition was read.
    convenience init(of file: DefinitionFile) {
        let path = file.name
        self.init(
            path: path, application: file.definition.application,
            read: {
                let bytes = try Disk.document(path).bytes
                let url = URL(fileURLWithPath: path)
                let changedAt = try url.resourceValues(forKeys: [.contentModificationDateKey])
                    .contentModificationDate
                return (
                    bytes,
                    changedAt.map {
                        Instant(milliseconds: Int64($0.timeIntervalSince1970 * 1000))
                    } ?? .now
                )
            },
            write: { try Disk.write(String(decoding: $0, as: UTF8.self), to: path) })
    }
}
