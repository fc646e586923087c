tree/src/main.c
  size     400 bytes
  lon,lat  -33.850873,13.65901
  kind     poi, depth 2
  visible  from zoom 3
  id       620181711296433
  in       continent tree (-7.755905,-7.689303)
           country   tree/src (-44.830004,32.10345)
