import Foundation
import SyncEngine
import SystemFiles

/// The right to do something with an SQLite file that one process does at a time: a lock on a file
/// beside it, which the system releases when the process ends.
struct FileHold: StoreHold {
    private let file: SystemFile

    /// Nil if another process has it.
    ///
    /// - Parameter name: Names what is done; the file has it as its extension.
    init?(on path: String, for name: String) throws(StoreError) {
        do throws(SystemFileError) {
            while true {
                let file = try SystemFile("\(path).\(name)", O_RDWR | O_CREAT)
                guard try file.lock(LOCK_EX | LOCK_NB) else { return nil }
                // A process that ended just now has removed the file that was opened.
                guard try file.isStillThere() else { continue }
                self.file = file
                return
            }
        } catch {
            throw .failed("\(error)")
        }
    }

    func release() async {
        // A file that stays is taken over by the next process.
        try? FileManager.default.removeItem(atPath: file.path)
    }
}
