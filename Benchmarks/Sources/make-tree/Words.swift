/// The words of names.
enum Words {
  static let nouns = """
    account address agenda album analysis annex answer appendix archive article asset atlas backup
    balance bank basket batch bill block board book border branch bridge brass buffer budget build
    button cable cache calendar camera canvas card case catalog channel chapter chart check client
    cloud cluster code color column comment config contact contract control copy core cost counter
    course cover credit cursor customer daily data deal deck delta design detail device diagram
    dialog diary digest document domain draft drive editor effect element email energy engine entry
    error estimate event exam example exercise expense export family field figure filter final
    finance flight flow folder form format forum frame garden gateway graph grid group guide handler
    header health helmet history holiday home house icon image import index input insurance invoice
    item job journal kernel kitchen label layer layout lease ledger lesson letter level library
    license light list loan local log logo machine mail manual map margin market master matrix
    meeting member memo menu message method minutes mobile model module monitor motor music network
    node note notice number object offer office option order outline output package page paint panel
    paper parser parts path payment people phone photo pipeline plan plot point policy portal poster
    preview price print profile program project proposal protocol query queue quote radio rate
    reader receipt recipe record region release rent report request research result review route
    rule salary sample scan schedule school scope score screen script search season section segment
    server service sensor shape sheet shop signal sketch slide socket source space spec split
    sport stack staff stage state statement station status stock storage store story stream street
    string student study style summary survey switch symbol system table target task tax team
    template test text theme thread ticket time token topic tour track trade traffic train transfer
    travel tree trend trip type unit update upload user value vector version video view visit voice
    wallet water weather web week widget window winter word work worker writer year zone
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  static let adjectives = """
    old new final draft big small blue red green early late first second third last main open public
    private quick raw real rough short shared simple smart special static strong summer total true
    unused urgent virtual weekly white wide wild yearly young
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  /// Words with characters beyond ASCII, as real names have.
  static let foreign = [
    "Übersicht", "Fähre", "résumé", "déjà vu", "niño", "São Paulo", "Łódź", "smörgås", "日本語",
    "写真", "отчёт", "Ελλάδα", "한국", "façade", "Größe", "naïve", "🎉 party", "été", "Zürich",
  ]

  static let places = """
    Alps Amsterdam Athens Barcelona Berlin Bergen Bologna Boston Brighton Cairo Copenhagen Corsica
    Crete Dublin Edinburgh Florence Geneva Hamburg Helsinki Iceland Istanbul Kyoto Lisbon London
    Lofoten Madrid Malta Milan Munich Naples Norway Oslo Paris Porto Prague Provence Rome Sardinia
    Scotland Seville Sicily Stockholm Tokyo Toronto Tuscany Venice Vienna Warsaw Zurich
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  static let languages = """
    js js js js ts ts d.ts map json json md mjs cjs css py py pyc go rs c h h cpp hpp swift java
    class rb php html yml toml txt sh
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  static let papers = """
    pdf pdf pdf docx docx doc xlsx xlsx odt ods txt txt md pptx jpg png csv eml zip key pages html
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  static let downloads = """
    zip pdf tar.gz dmg deb iso jpg png mp4 exe AppImage csv torrent epub docx html
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  static let months = """
    01 02 03 04 05 06 07 08 09 10 11 12
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  static let home = """
    Projects .cache .local Pictures Documents Music .config .npm .cargo Downloads Videos Desktop
    .mozilla .vscode .ssh Public Templates bin go .gnupg
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  static let project = """
    node_modules src .git tests docs build dist public scripts assets .github examples tools vendor
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  static let module = """
    lib dist src test node_modules es cjs esm types build docs bin shared internal
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  static let git = """
    objects refs logs hooks info branches
    """.split(whereSeparator: \.isWhitespace).map(String.init)
}
