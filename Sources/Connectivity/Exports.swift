// `import Connectivity` is all a program needs: the values come with it.
@_exported public import PathModel
