import Hashing
import Testing

@Suite struct HexadecimalTests {
    @Test func everyByteHasTwoDigits() {
        #expect(hexadecimal([0, 9, 10, 15, 16, 0x7f, 0xa0, 255] as [UInt8]) == "00090a0f107fa0ff")
        #expect(hexadecimal([] as [UInt8]) == "")
        for byte in UInt8.min...UInt8.max {
            #expect(UInt8(hexadecimal([byte]), radix: 16) == byte)
        }
    }
}
