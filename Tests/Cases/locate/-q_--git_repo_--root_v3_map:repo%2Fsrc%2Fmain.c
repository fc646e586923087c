repo/src/main.c
  size     16 bytes
  lon,lat  -34.859227,7.180612
  kind     poi, depth 2
  visible  from zoom 3
  id       3811254043172889
  in       continent repo (0.759934,-19.610785)
           country   repo/src (-27.654394,-9.416324)
