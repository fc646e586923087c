{"type":"FeatureCollection","geomapper":{"projection":2,"layout":"settled","roots":["repo"],"partial":true},"features":[
{"type":"Feature","id":3811254043172889,"geometry":{"type":"Point","coordinates":[-34.859227,7.180612]},"properties":{"path":"repo/src/main.c","name":"main.c","kind":"poi","depth":2,"size":16,"minzoom":3}}
],"summary":{"folders":0,"files":1,"unreadable":0}}
