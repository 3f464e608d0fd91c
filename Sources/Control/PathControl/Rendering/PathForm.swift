package import PathModel

/// The form in which verbs print a path.
package enum PathForm: Hashable, Sendable {
  /// For people: a picture, or a line for each update.
  case picture
  /// JSON, one object a line.
  case json
  /// One value alone.
  case field(PathField)
  /// The line of a module of Waybar.
  case waybar
  /// A template with values filled in.
  case template(PathTemplate)

  /// The line that shows a path, without its newline; `nil` for a picture and for JSON, which have renderings of their
  /// own.
  package func line(_ path: NetworkPath) -> String? {
    switch self {
    case .picture, .json: nil
    case .field(let field): field.text(of: path)
    case .waybar: PathSummary(path).waybar
    case .template(let template): template.text(of: path)
    }
  }
}
