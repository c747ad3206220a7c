import DefinitionCompiler
import DefinitionModel
import TestKit

/// What libFuzzer calls, with one document after the other.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let broken = brokenPromises(of: SourceFile(name: "application.xml", bytes: bytes))
    guard broken.isEmpty else { fatalError(broken.joined(separator: "\n")) }
    return 0
}
