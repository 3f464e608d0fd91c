import PathDecisions
import PathModel
import Testing

/// The addresses of pages and hosts that strangers and files name.
@Suite("Addresses for the sign-in")
struct PortalAddressTests {
  private static func isTaken(_ text: String) -> Bool { PortalAddress.text(of: text.utf8) == text }

  @Test(
    "an address inside this machine is none, however it is spelled",
    arguments: [
      "127.0.0.1", "127.0.0.1.", "127.255.255.254", "127.1", "127.0.1", "2130706433", "0x7f.1", "0X7F.0x0.0x0.0x1",
      "0177.0.0.1", "017700000001", "0x7f000001", "0", "0.0.0.0", "0x", "00", "localhost", "LocalHost", "localhost.",
      "a.localhost", "a.localhost.", "ip6-localhost", "ip6-loopback", "localhost.localdomain", "[::1]",
      "[0:0:0:0:0:0:0:1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::FFFF:0.0.0.0]", "[::ffff:127.9.9.9]",
    ])
  func inside(_ host: String) {
    for address in ["http://\(host)", "http://\(host):631/jobs", "HTTPS://\(host)/?x", "http://\(host)#x"] {
      #expect(!Self.isTaken(address), "\(address)")
    }
  }

  @Test(
    "every other host is taken",
    arguments: [
      "128.0.0.1", "126.255.255.255", "2113929216", "1.0.0.127", "10.0.0.1", "router", "localhost.example",
      "a.example.", "notlocalhost", "127.0.0.1.example", "127-0-0-1.example", "0x7f.example", "[2001:db8::1]",
      "[fe80::1]",
      "[::ffff:192.0.2.1]", "a_b.example", "xn--bcher-kva.example", "4294967296", "1.2.3.4.5",
    ])
  func elsewhere(_ host: String) {
    for address in ["http://\(host)", "https://\(host):8443/a@b?c=@#@", "http://\(host):/", "HTTP://\(host):65535"] {
      #expect(Self.isTaken(address), "\(address)")
    }
  }

  @Test(
    "an address with a user, a password, a wrong port or a wrong host is none",
    arguments: [
      "https://www.example@evil.example/", "https://user:secret@a.example/", "https://@a.example/",
      "https://user:@a.example", "http://a.example@", "http://a.example:0/", "http://a.example:00/",
      "http://a.example:65536", "http://a.example:99999/", "http://a.example:8x/", "http://a.example:+8/",
      "http://a.example:-1/", "http://a.example:1:2/", "http://[::1/", "http://[]/", "http://[a.example]/",
      "http://[192.0.2.1]/", "http://[2001:db8::1]x/", "http://[fe80::1%25eth0]/", "http://%6c%6f%63alhost/",
      "http://%31%32%37.0.0.1/", "http://a$b.example/", "http://.", "http://:80/", "http://a:b@c.example:80/",
      "http://a.example:184467440737095516170/",
    ])
  func wrong(_ address: String) {
    #expect(!Self.isTaken(address))
  }

  @Test func `a page of the local network is known by its address in any spelling, and by a name without a domain`() {
    for host in [
      "10.0.0.1", "192.168.1.1", "3232235777", "0xc0a80101", "192.168.257", "0300.0250.1.1", "[::ffff:192.168.1.1]",
      "[fd00::1]", "[fe80::1]", "169.254.1.1", "100.64.0.1", "router", "router.",
    ] {
      #expect(PortalAddress.isLocal("http://\(host):8080/x.y"), "\(host)")
    }
    for host in ["192.0.2.1", "3221225985", "router.example", "[2001:db8::1]", "10.0.0.1.example"] {
      #expect(!PortalAddress.isLocal("http://\(host)/"), "\(host)")
    }
  }
}
