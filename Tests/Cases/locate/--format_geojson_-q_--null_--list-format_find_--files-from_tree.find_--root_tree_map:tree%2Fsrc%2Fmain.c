{"type":"FeatureCollection","geomapper":{"projection":2,"layout":"settled","roots":["tree"],"partial":true},"features":[
{"type":"Feature","id":620181711296433,"geometry":{"type":"Point","coordinates":[-33.850873,13.65901]},"properties":{"path":"tree/src/main.c","name":"main.c","kind":"poi","depth":2,"size":400,"modified":1750000101,"minzoom":3}}
],"summary":{"folders":0,"files":1,"unreadable":0}}
