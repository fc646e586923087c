// Nothing is called: what counts happens when the tests are loaded.
