/** TLS between two JVMs: the server's, its control, and the proof of what a handshake was. */
package jcarerun.tls;
