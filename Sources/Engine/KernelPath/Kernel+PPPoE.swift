internal import PathDecisions

/// The devices below PPP links, which the kernel's messages about these links do not name.
extension Kernel {
  /// The link with the device below it, if it is a PPP link and its device is known.
  func resting(_ link: LinkFacts) -> LinkFacts {
    guard link.isPPP, let name = pppoeLines[link.index] else { return link }
    var link = link
    link.parentIndex = links.interfaces.first { $0.link.name.utf8.elementsEqual(name.utf8) }?.link.index
    return link
  }

  /// Finds the devices below all PPP links again after messages about links.
  func updatePPPoELines() {
    guard hasLinkNews else { return }
    hasLinkNews = false
    let connections = links.interfaces.map(\.link).filter(\.isPPP)
    pppoeLines.update(connections.map(\.index))
    for var link in connections {
      let former = link.parentIndex
      link.parentIndex = nil
      link = resting(link)
      if link.parentIndex != former {
        links.update(link)
        revision += 1
      }
    }
  }
}
