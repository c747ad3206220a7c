import Foundation
import SyncEngine
import SystemFiles

/// The right to write a copy to an SQLite file, which one process has at a time: a lock on the file
/// `.copying` beside it, which the system releases when the process ends.
struct CopyClaim: StoreHold {
    private let file: SystemFile

    /// Nil if another process has it.
    init?(on path: String) throws(StoreError) {
        do throws(SystemFileError) {
            while true {
                let file = try SystemFile(path + ".copying", O_RDWR | O_CREAT)
                guard try file.lock(LOCK_EX | LOCK_NB) else { return nil }
                // A copy that ended just now has removed the file that was opened.
                guard try file.isStillThere() else { continue }
                self.file = file
                return
            }
        } catch {
            throw .failed("\(error)")
        }
    }

    func release() async {
        // A file that stays is taken over by the next copy.
        try? FileManager.default.removeItem(atPath: file.path)
    }
}
