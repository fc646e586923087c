// The file of the page with a NAME, as an element of an array.

#define TEXT_OF(text) #text
#define TEXT(text) TEXT_OF(text)

{TEXT(NAME), (const unsigned char[]){
#embed TEXT(../GeoWeb/Page/Assets/NAME)
}, sizeof (const unsigned char[]){
#embed TEXT(../GeoWeb/Page/Assets/NAME)
}},

#undef TEXT
#undef TEXT_OF
#undef NAME
