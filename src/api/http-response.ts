// A response before it is sent: every response of the API, errors included, is built in this form.

export interface HttpResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}
