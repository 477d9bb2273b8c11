package attack

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"

	"switchback/harness/load"
)

// TLSFiles name PEM files.
type TLSFiles struct {
	CACert string // certificates of who may sign the server's; default: those of the system
	Cert   string // the certificate that is shown to the server
	Key    string // its key; default: in the file of Cert
}

// read puts the files into the options of an engine.
func (f TLSFiles) read(options *load.Options) error {
	switch {
	case f == TLSFiles{}:
		return nil
	case !options.TLS:
		return errors.New("cacert, cert and key are for TLS: want an https URL")
	case f.CACert != "" && options.Insecure:
		return errors.New("cacert and insecure: want one of them")
	case f.Key != "" && f.Cert == "":
		return errors.New("key: want the certificate too, as in --cert FILE --key FILE")
	}
	if err := f.readRoots(options); err != nil || f.Cert == "" {
		return err
	}
	key := f.Key
	if key == "" {
		key = f.Cert
	}
	pair, err := tls.LoadX509KeyPair(f.Cert, key)
	if err != nil {
		return fmt.Errorf("cert %q, key %q: %w", f.Cert, key, err)
	}
	options.Certificate = &pair
	return nil
}

func (f TLSFiles) readRoots(options *load.Options) error {
	if f.CACert == "" {
		return nil
	}
	text, err := os.ReadFile(f.CACert)
	if err != nil {
		return fmt.Errorf("cacert: %w", err)
	}
	options.Roots = x509.NewCertPool()
	if !options.Roots.AppendCertsFromPEM(text) {
		return fmt.Errorf("cacert %q: want certificates in PEM, got none", f.CACert)
	}
	return nil
}
